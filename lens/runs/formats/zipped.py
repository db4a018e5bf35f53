"""Members of a ZIP file as the evaluation tools of today write it: also compressed with Zstandard."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from lens.errors import UsageError

ZSTANDARD = 93  # the method's number in the ZIP specification, 4.4.5


class Zipped:
    """A ZIP file open for reading. Raises UsageError naming the file for one that is cut or isn't one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise UsageError(
                f"{path}: not a whole ZIP file: {error}", remedy="is it still written? copy it again"
            ) from None

    def __enter__(self) -> Zipped:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        return self._zip.namelist()

    def read(self, name: str) -> bytes:
        """A member's bytes, checked against its CRC. Raises UsageError naming file and member."""
        info = self._zip.getinfo(name)
        try:
            return self._zstandard(info) if info.compress_type == ZSTANDARD else self._zip.read(info)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            ValueError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise UsageError(f"{self.path}: {name}: {error}", remedy="the file is damaged: copy it again") from None

    def _zstandard(self, info: zipfile.ZipInfo) -> bytes:
        import pyarrow as pa

        with self.path.open("rb") as file:
            file.seek(info.header_offset)
            header = file.read(30)
            file.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
            raw = file.read(info.compress_size)
        with pa.input_stream(pa.BufferReader(raw), compression="zstd") as stream:
            data: bytes = stream.read()
        if zlib.crc32(data) != info.CRC:
            raise ValueError("its checksum differs")
        return data
