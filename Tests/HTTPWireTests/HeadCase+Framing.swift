import HTTPWire

extension HeadCase {
    static let framing: [HeadCase] = lengths + codings + contradictions

    private static let lengths: [HeadCase] =
        ["0", "5", " \t5 \t", "00005", "9223372036854775807"]
        .map { .good("the length \($0.debugDescription)", post("Content-Length: \($0)")) }
        + [
            "", " ", "+5", "-5", "-0", "0x5", "5x", "5_0", "5 5", "5,5", "5, 5", "5,6", ",5", "5,", "5;", "5.0", "5e1",
            "1e1", "0b1", "0o7", "five", "\"5\"", "5\u{A0}", "\u{A0}5", "5\u{85}", "\u{85}5", "\u{B2}",
            "\u{D9}\u{A5}", "9223372036854775808", "18446744073709551616", "18446744073709551621",
            "99999999999999999999999999999999999999", "5 chunked", "5\t5", "0x", "0 5", "+0",
        ].map { .bad(.contentLength, "the length \($0.debugDescription)", post("Content-Length: \($0)")) }
        + [
            .bad(.fieldValue, "a length after a vertical tab", post("Content-Length: \u{0B}5")),
            .bad(.fieldValue, "a length before a form feed", post("Content-Length: 5\u{0C}")),
            .bad(.fieldValue, "a length with NUL", post("Content-Length: 5\0")),
            .bad(.bareCarriageReturn, "a length with a carriage return", post("Content-Length: 5\r5")),
            .bad(.fieldName, "a length with a space before the colon", post("Content-Length : 5")),
            .bad(.foldedLine, "a length on a folded line", post("X: y\r\n Content-Length: 5")),
            .bad(.repeatedField, "a length twice", post("Content-Length: 5\r\nContent-Length: 5")),
            .bad(.repeatedField, "two lengths", post("Content-Length: 5\r\nContent-Length: 6")),
            .bad(.repeatedField, "two spellings of a length", post("Content-Length: 5\r\ncontent-length: 05")),
            .bad(.repeatedField, "a length and an empty one", post("Content-Length: 5\r\nContent-Length:")),
            .bad(.contentLength, "a wrong length with GET", get("Content-Length: -1")),
            .bad(.contentLength, "a wrong length in HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: +5\r\n\r\n"),
        ]

    private static let codings: [HeadCase] =
        ["chunked", "CHUNKED", "cHuNkEd", "\t chunked \t"]
        .map { .good("the coding \($0.debugDescription)", post("Transfer-Encoding: \($0)")) }
        + [
            "", " ", ",", ",chunked", "chunked,", "chunked, ", " , chunked", "chunked,,", "chunked,chunked",
            "chunked, chunked", "chunked,identity", "chunked, gzip", "chunked, gzip, chunked", "chunked;q=1",
            "chunked;", "chunked ;a=b", "\"chunked\"", "'chunked' x", "chunked chunked", "chunked\tchunked", "ch unked",
            "chunked\u{A0}", "\u{A0}chunked", "chunked\u{85}", "\u{85}chunked", "chunked\u{FF}", "chunked/1",
            "=chunked",
            "(chunked)", "chunked=", "chunked:", "[chunked]", "gzip;q=1, chunked", "a b, chunked", "\"a, chunked",
            "chunk\u{E9}d", "{chunked}", "chunked\\", "gzip, ", "chunked, identity, ",
        ].map { .bad(.transferCoding, "the coding \($0.debugDescription)", post("Transfer-Encoding: \($0)")) }
        + [
            "identity", "xchunked", "chunkedx", "x-chunked", "gzip", "deflate", "gzip, deflate", "gzip, chunked",
            "identity, chunked", "identity,chunked", "chunke", "chunked-", "cow", "'chunked'", "compress, chunked",
        ].map {
            .bad(.unsupportedTransferCoding, "the coding \($0.debugDescription)", post("Transfer-Encoding: \($0)"))
        }
        + [
            .bad(.fieldValue, "a coding after a vertical tab", post("Transfer-Encoding: \u{0B}chunked")),
            .bad(.fieldValue, "a coding before a vertical tab", post("Transfer-Encoding: chunked\u{0B}")),
            .bad(.fieldValue, "a coding with NUL", post("Transfer-Encoding: chunked\0")),
            .bad(.fieldValue, "a coding after a form feed", post("Transfer-Encoding:\u{0C}chunked")),
            .bad(.bareCarriageReturn, "a coding before a carriage return", post("Transfer-Encoding: chunked\r")),
            .bad(.bareLineFeed, "a coding before a line feed", post("Transfer-Encoding: chunked\nX: y")),
            .bad(.bareLineFeed, "a coding after a line feed", post("Transfer-Encoding:\nchunked")),
            .bad(.fieldName, "a coding with a space before the colon", post("Transfer-Encoding : chunked")),
            .bad(.fieldName, "a coding with a tab before the colon", post("Transfer-Encoding\t: chunked")),
            .bad(.fieldName, "a coding with NUL before the colon", post("Transfer-Encoding\0: chunked")),
            .bad(.fieldName, "a coding without colon", post("Transfer-Encoding chunked")),
            .bad(.foldedLine, "a coding on a folded line", post("X: y\r\n Transfer-Encoding: chunked")),
            .bad(
                .transferCoding, "chunked on two lines",
                post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")),
            .bad(
                .transferCoding, "chunked before another line",
                post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity")),
            .bad(
                .unsupportedTransferCoding, "another line before chunked",
                post("Transfer-Encoding: x\r\nTransfer-Encoding: chunked")),
            .bad(
                .transferCoding, "an empty line before chunked",
                post("Transfer-Encoding:\r\nTransfer-Encoding: chunked")),
            .bad(.transferCoding, "a wrong coding with GET", get("Transfer-Encoding: chunked, x")),
        ]

    private static let contradictions: [HeadCase] = [
        .good("a name that only looks like one", post("Content_Length: 5\r\nTransfer_Encoding: chunked")),
        .good("a coding inside another value", post("X: Transfer-Encoding: chunked\r\nContent-Length: 1")),
        .good("a body with GET", get("Content-Length: 5")),
        .good("chunks with DELETE", "DELETE / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .good("a length in HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n"),

        .bad(.lengthAndCoding, "a length before a coding", post("Content-Length: 5\r\nTransfer-Encoding: chunked")),
        .bad(.lengthAndCoding, "a coding before a length", post("Transfer-Encoding: chunked\r\nContent-Length: 5")),
        .bad(.lengthAndCoding, "a zero length and a coding", post("Content-Length: 0\r\nTransfer-Encoding: chunked")),
        .bad(.lengthAndCoding, "an empty length and a coding", post("Content-Length:\r\nTransfer-Encoding: chunked")),
        .bad(.lengthAndCoding, "a length and an empty coding", post("Content-Length: 5\r\nTransfer-Encoding:")),
        .bad(.lengthAndCoding, "a length and an unknown coding", post("Content-Length: 5\r\nTransfer-Encoding: x")),
        .bad(.lengthAndCoding, "a length and identity", post("Content-Length: 5\r\nTransfer-Encoding: identity")),
        .bad(.lengthAndCoding, "names in odd case", post("cONTENT-lENGTH: 5\r\ntRANSFER-eNCODING: chunked")),
        .bad(
            .lengthAndCoding, "both in HTTP/1.0",
            "POST / HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .bad(.codingInOldVersion, "a coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .bad(
            .codingInOldVersion, "an unknown coding in HTTP/1.0",
            "POST / HTTP/1.0\r\nTransfer-Encoding: identity\r\n\r\n"),
        .bad(
            .codingInOldVersion, "a coding in HTTP/1.0 with keep-alive",
            "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ]
}
