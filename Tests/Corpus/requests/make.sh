#!/bin/sh
# Writes the requests beside this script. A file's name says what must become of it: accept/ is read to
# its last byte, refuse/ is answered with the status its name starts with.
set -eu
cd "$(dirname "$0")"
mkdir -p accept refuse

# accept NAME TEXT, refuse STATUS-NAME TEXT: the text is a printf format.
accept() { printf "$2" >"accept/$1.http"; }
refuse() { printf "$2" >"refuse/$1.http"; }
# COUNT copies of a letter.
letters() { head -c "$1" /dev/zero | tr '\0' a; }

G='GET / HTTP/1.1\r\nHost: x\r\n'
P='POST / HTTP/1.1\r\nHost: x\r\n'
C="${P}Transfer-Encoding: chunked\\r\\n\\r\\n"

accept plain "$G\r\n"
accept old-version-without-host 'GET / HTTP/1.0\r\n\r\n'
accept old-version-that-stays 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'
accept empty-lines-first "\r\n\r\n$G\r\n"
accept absolute-target 'GET http://example.com:80/a?b=c HTTP/1.1\r\nHost: example.com\r\n\r\n'
accept asterisk-target 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'
accept authority-target 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'
accept host-with-ipv6-address 'GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n'
accept escaped-path 'GET /v1/bundles/a/releases/1.4.0~312%%2B0a HTTP/1.1\r\nHost: x\r\n\r\n'
accept query 'GET /v1/widgets/a.b-1?channel=beta&have=%%41&pin HTTP/1.1\r\nHost: x\r\n\r\n'
accept value-with-opaque-bytes "${G}X: \\303\\251\\200\\377\\r\\n\\r\\n"
accept value-that-is-empty "${G}X:\\r\\nY: \\t \\r\\n\\r\\n"
accept body-with-length "${P}Content-Length: 5\\r\\n\\r\\nhello"
accept body-of-nothing "${P}Content-Length: 0\\r\\n\\r\\n"
accept body-that-waits "${P}Content-Length: 2\\r\\nExpect: 100-continue\\r\\n\\r\\nhi"
accept chunks "${C}5\\r\\nhello\\r\\n6\\r\\n world\\r\\n0\\r\\n\\r\\n"
accept chunks-with-extensions "${C}5;a;b=c;d=\"e;\\\\\\\\\\\"\" ; f\\r\\nhello\\r\\n0;g\\r\\n\\r\\n"
accept chunks-with-trailers "${C}5\\r\\nhello\\r\\n0\\r\\nX: y\\r\\nContent-Length: 9\\r\\n\\r\\n"
accept conditions "${G}If-None-Match: \"a\", W/\"b\"\\r\\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\\r\\nIf-Range: Wednesday, 09-Nov-94 08:49:37 GMT\\r\\nRange: bytes=0-1,-5\\r\\n\\r\\n"
accept browser "${G}User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\\r\\nAccept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\\r\\nAccept-Encoding: gzip, deflate, br\\r\\nConnection: keep-alive\\r\\n\\r\\n"
accept behind-proxies "${G}X-Forwarded-For: 1.2.3.4, \"[::1]:80\"\\r\\nForwarded: for=\"_a,b\";proto=http, for=1.2.3.4\\r\\n\\r\\n"

refuse 400-bare-line-feeds 'GET / HTTP/1.1\nHost: x\n\n'
refuse 400-bare-carriage-return-after-version 'GET / HTTP/1.1\rHost: x\r\n\r\n'
refuse 400-bare-carriage-return-in-value "${G}X: a\\rb\\r\\n\\r\\n"
refuse 400-bare-line-feed-in-value "${G}X: a\\nY: b\\r\\n\\r\\n"
refuse 400-nul-in-value "${G}X: a\\000b\\r\\n\\r\\n"
refuse 400-nul-in-name "${G}X\\000: a\\r\\n\\r\\n"
refuse 400-nul-in-path 'GET /\000 HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-folded-line "${G}X: a\\r\\n b\\r\\n\\r\\n"
refuse 400-folded-first-line 'GET / HTTP/1.1\r\n Host: x\r\n\r\n'
refuse 400-space-before-colon "${G}X : a\\r\\n\\r\\n"
refuse 400-field-without-colon "${G}X\\r\\n\\r\\n"
refuse 400-field-without-name "${G}: a\\r\\n\\r\\n"
refuse 400-host-missing 'GET / HTTP/1.1\r\n\r\n'
refuse 400-host-twice "${G}Host: x\\r\\n\\r\\n"
refuse 400-host-empty 'GET / HTTP/1.1\r\nHost:\r\n\r\n'
refuse 400-host-with-user 'GET / HTTP/1.1\r\nHost: a@b\r\n\r\n'
refuse 400-host-with-port-too-high 'GET / HTTP/1.1\r\nHost: x:65536\r\n\r\n'
refuse 400-target-without-slash 'GET a HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-target-with-fragment 'GET /#a HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-target-with-backslash 'GET /a\\b HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-target-with-space 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-target-with-dot-segments 'GET /a/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-target-with-raw-utf8 'GET /\303\251 HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-asterisk-with-get 'GET * HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-connect-without-port 'CONNECT x HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-version-0.9 'GET /\r\n\r\n'
refuse 400-version-in-lower-case 'GET / http/1.1\r\nHost: x\r\n\r\n'
refuse 400-version-with-two-digits 'GET / HTTP/1.10\r\nHost: x\r\n\r\n'
refuse 400-two-spaces-before-target 'GET  / HTTP/1.1\r\nHost: x\r\n\r\n'
refuse 400-tls-greeting '\026\003\001\002\000\001\000\001\374\003\003'
for value in with-plus-sign:+5 with-minus-sign:-5 in-hexadecimal:0x5 with-underscore:5_0 as-list:5,5 empty: \
    with-fraction:5.0 past-64-bits:18446744073709551621 with-inner-space:'5 5' with-letters:5x; do
    refuse "400-content-length-${value%%:*}" "${P}Content-Length: ${value#*:}\\r\\n\\r\\nhello"
done
refuse 400-content-length-with-byte-a0 "${P}Content-Length: \\2405\\r\\n\\r\\nhello"
refuse 400-content-length-twice "${P}Content-Length: 5\\r\\nContent-Length: 5\\r\\n\\r\\nhello"
refuse 400-content-length-twice-differing "${P}Content-Length: 5\\r\\nContent-Length: 6\\r\\n\\r\\nhello"
refuse 400-content-length-with-transfer-encoding "${P}Content-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n"
refuse 400-transfer-encoding-in-old-version 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
for value in twice:chunked,chunked not-last:chunked,identity empty: with-empty-member:,chunked quoted:'"chunked"' \
    with-parameter:'chunked;a=b' with-vertical-tab:'\013chunked' with-byte-85:'chunked\205'; do
    refuse "400-transfer-encoding-${value%%:*}" "${P}Transfer-Encoding: ${value#*:}\\r\\n\\r\\n0\\r\\n\\r\\n"
done
for value in with-plus-sign:+5 in-hexadecimal:0x5 with-space-after:'5 ' with-space-before:' 5' empty: \
    past-64-bits:10000000000000005 with-bare-semicolon:'5;' with-open-quote:'5;a="'; do
    refuse "400-chunk-size-${value%%:*}" "${C}${value#*:}\\r\\nhello\\r\\n0\\r\\n\\r\\n"
done
refuse 400-chunk-size-with-bare-line-feed "${C}5\\nhello\\r\\n0\\r\\n\\r\\n"
refuse 400-chunk-data-longer-than-said "${C}5\\r\\nhelloXX\\r\\n0\\r\\n\\r\\n"
refuse 400-chunk-data-shorter-than-said "${C}7\\r\\nhello\\r\\n0\\r\\n\\r\\n"
refuse 400-chunk-extension-too-long "${C}0;$(letters 300)\\r\\n\\r\\n"
refuse 400-trailer-folded "${C}0\\r\\nX: y\\r\\n z\\r\\n\\r\\n"
refuse 400-trailer-too-long "${C}0\\r\\nX: $(letters 9000)\\r\\n\\r\\n"
refuse 414-request-line-too-long "GET /$(letters 9000) HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"
refuse 417-expectation-unknown "${P}Content-Length: 5\\r\\nExpect: miracles\\r\\n\\r\\nhello"
refuse 431-field-too-long "${G}X: $(letters 9000)\\r\\n\\r\\n"
refuse 431-fields-too-long "${G}$(for name in A B C D E; do printf '%s: %s\\r\\n' $name "$(letters 7000)"; done)\\r\\n"
refuse 431-too-many-fields "${G}$(for count in $(seq 100); do printf 'X: y\\r\\n'; done)\\r\\n"
refuse 501-transfer-encoding-identity "${P}Transfer-Encoding: identity\\r\\n\\r\\nhello"
refuse 501-transfer-encoding-gzip "${P}Transfer-Encoding: gzip, chunked\\r\\n\\r\\n0\\r\\n\\r\\n"
refuse 501-transfer-encoding-with-x-before "${P}Transfer-Encoding: xchunked\\r\\n\\r\\n0\\r\\n\\r\\n"
refuse 505-version-2 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
refuse 505-version-3 'GET / HTTP/3.0\r\nHost: x\r\n\r\n'
