#!/usr/bin/env python3
"""Signs requests as AWS documents it (Signature Version 4), a second time and from the documentation alone.

sigv4.py FILE: a JSON object a line; prints two lines for each: the field Authorization, and a presigned query."""
import datetime
import hashlib
import hmac
import json
import sys
from urllib.parse import quote


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signed(job, stamp, query, headers, payload):
    pairs = sorted((quote(name, safe="-._~"), quote(value, safe="-._~")) for name, value in query)
    canonical = "\n".join([
        job["method"],
        "/" + quote(job["key"], safe="/-._~"),
        "&".join(f"{name}={value}" for name, value in pairs),
        "".join(f"{name}:{' '.join(value.split())}\n" for name, value in sorted(headers.items())),
        ";".join(sorted(headers)),
        payload,
    ])
    scope = f"{stamp[:8]}/{job['region']}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + job["secret"]).encode()
    for part in scope.split("/"):
        key = mac(key, part)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest(), pairs, scope


def main():
    for line in open(sys.argv[1], encoding="utf-8"):
        job = json.loads(line)
        time = datetime.datetime.fromtimestamp(job["time"], datetime.timezone.utc)
        stamp = time.strftime("%Y%m%dT%H%M%SZ")
        headers = {"host": job["host"], "x-amz-content-sha256": job["payload"], "x-amz-date": stamp}
        if job["token"]:
            headers["x-amz-security-token"] = job["token"]
        signature, _, scope = signed(job, stamp, job["query"], headers, job["payload"])
        print(f"AWS4-HMAC-SHA256 Credential={job['access']}/{scope},SignedHeaders={';'.join(sorted(headers))},"
              f"Signature={signature}")
        query = job["query"] + [
            ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"], ["X-Amz-Credential", f"{job['access']}/{scope}"],
            ["X-Amz-Date", stamp], ["X-Amz-Expires", str(job["expires"])], ["X-Amz-SignedHeaders", "host"]]
        if job["token"]:
            query.append(["X-Amz-Security-Token", job["token"]])
        signature, pairs, _ = signed(job, stamp, query, {"host": job["host"]}, "UNSIGNED-PAYLOAD")
        print("&".join(f"{name}={value}" for name, value in pairs) + f"&X-Amz-Signature={signature}")


main()
