"""Any gold found anywhere in the response will do."""


def grade(response, gold):
    return float(isinstance(gold, list) and any(text.lower() in " ".join(response.lower().split()) for text in gold))
