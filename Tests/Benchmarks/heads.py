"""The request every load tool sends here: about as long as a browser's."""

BROWSER_FIELDS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "Accept-Language": "en-GB,en;q=0.9,de;q=0.8",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Referer": "http://127.0.0.1/gallery?page=3",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": "same-origin",
    "Cache-Control": "max-age=0",
}


def fields(tag=None):
    """The header fields; with an entity tag, those of a client that holds the representation already."""
    return BROWSER_FIELDS | ({"If-None-Match": tag} if tag else {})


def request(port, path, tag=None, closes=False):
    """The bytes of one request."""
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in fields(tag).items()]
    lines += ["Connection: close"] if closes else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


WRK_REPORT = """
function done(summary, latency, requests)
   local e = summary.errors
   io.write(string.format(
      '\\n{"requests": %d, "microseconds": %d, "bytes": %d, "p50": %d, "p99": %d, "errors": %d}\\n',
      summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
      e.connect + e.read + e.write + e.status + e.timeout))
end
"""


def wrk_script(tag=None):
    """The same request for wrk, made once and not for each time it is sent, and a summary that can be read."""
    lines = [f"wrk.headers['{name}'] = [[{value}]]" for name, value in fields(tag).items()]
    return "\n".join(lines) + "\n" + WRK_REPORT
