"""Features of a sparse dictionary, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "sparse-autoencoder",
    "Features it pays for",
    what="The stream written as a few features of a dictionary, and the reward as what they pay.",
    use="Reward kept by the dictionary measures reconstruction and not meaning. Use it only where the dictionary keeps "
    "more of the margin than untrained ones.",
    row=(
        "{kept} of the margin’s energy kept",
        "{untrained.kept} by untrained dictionaries",
    ),
    fields={
        "kept": "of the margin’s energy is kept by the dictionary, {subject}",
        "untrained.kept": "of the margin’s energy is kept by untrained dictionaries, {subject}",
        "untrained.high": "of the margin’s energy is kept by one in twenty untrained dictionaries, {subject}",
        "pca.kept": "of the margin’s energy is kept by as many principal directions, {subject}",
        "explained": "of the stream’s variance is kept, {subject}",
        "dead": "features are turned on by no fresh text, {subject}",
        "reward-error": "ru is the error of the reward through the dictionary, {subject}",
        "parts": "ru is the largest gap between the reward and its parts, {subject}",
        "top": "writes the largest mean part of the margin of {subject}",
    },
    order=170,
)
