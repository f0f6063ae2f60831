"""Sign-in of the console: a cookie that names a key, signed, and useless once the key is removed."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from pathlib import Path

from serve.keys import write_private

COOKIE = "allrows_session"
LIFETIME_S = 12 * 3600


class Sessions:
    """Makes and checks the cookie's value: `key_id.expiry.signature`."""

    def __init__(self, secret_file: Path) -> None:
        if not secret_file.exists():
            secret_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private(secret_file, secrets.token_hex(32))
        self._secret = bytes.fromhex(secret_file.read_text(encoding="ascii").strip())

    def issue(self, key_id: str, now: float | None = None) -> str:
        expiry = int((time.time() if now is None else now) + LIFETIME_S)
        return f"{key_id}.{expiry}.{self._sign(f'{key_id}.{expiry}')}"

    def key_id(self, cookie: str, now: float | None = None) -> str | None:
        """The id of the key that signed in; None for a cookie that is wrong or too old."""
        body, _, signature = cookie.rpartition(".")
        key_id, _, expiry = body.partition(".")
        if not hmac.compare_digest(self._sign(body).encode(), signature.encode()):
            return None
        return key_id if int(expiry) > (time.time() if now is None else now) else None

    def _sign(self, body: str) -> str:
        return hmac.new(self._secret, body.encode(), hashlib.sha256).hexdigest()
