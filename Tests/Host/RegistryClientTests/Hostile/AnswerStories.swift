import Foundation
import HostileServer
import RegistryClient
import WidgetDeflate

/// Attacks by a server on the level of HTTP, when it is asked for a resolve document or an archive.
enum AnswerStories {
    static let all = framing + statuses + redirects + encodings + texts + archives + ranges

    private static func document(_ name: String, _ words: String, _ answer: @escaping @Sendable (Visit) -> Void)
        -> Story
    {
        Story(name, .refused(words)) { lie in
            lie.onDocument = answer
            if words == stalled { lie.options = { $0.stall = .milliseconds(400) } }
        }
    }

    private static func archive(
        _ name: String, _ words: String, _ answer: @escaping @Sendable (Visit, [UInt8]) -> Void
    ) -> Story {
        Story(name, .refused(words)) { lie in
            lie.onArchive = answer
            if words == stalled { lie.options = { $0.stall = .milliseconds(400) } }
        }
    }

    private static let http = "not proper HTTP"
    private static let lost = "the connection was lost"
    private static let stalled = "nothing moved for too long"

    // MARK: Framing

    /// The honest document, framed in a wrong way: no other reason to refuse it is there.
    private static func framed(_ name: String, _ words: String, _ head: @escaping @Sendable (Int) -> String) -> Story {
        Story("a document as \(name)", .refused(words)) { lie in
            lie.framing = { visit, body in visit.send(Array(head(body.count).utf8) + body) }
        }
    }

    private static func chunked(_ name: String, _ words: String, _ size: String, end: String) -> Story {
        Story("a document as \(name)", .refused(words)) { lie in
            lie.framing = { visit, body in
                let size = size.isEmpty ? String(body.count, radix: 16) : size
                visit.send(
                    Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n".utf8) + body
                        + Array(end.utf8))
            }
        }
    }

    private static var framing: [Story] {
        let ok = "HTTP/1.1 200 OK\r\n"
        @Sendable func length(_ count: Int) -> String { "Content-Length: \(count)\r\n\r\n" }
        var stories = [
            framed("no HTTP", http) { _ in "hello\r\n\r\n" }, framed("an answer of 1991", http) { _ in "" },
            framed("noise", http) { _ in "\u{1}\u{2}\u{0}\u{7F}\n\n" },
            framed("another protocol", http) { _ in "SSH-2.0-OpenSSH_9.6\r\n" },
            framed("HTTP/0.9", http) { "HTTP/0.9 200 OK\r\n\(length($0))" },
            framed("HTTP/9", http) { "HTTP/9.9 200 OK\r\n\(length($0))" },
            framed("status 2·10^14", http) { "HTTP/1.1 200000000000000 OK\r\n\(length($0))" },
            framed("status -200", http) { "HTTP/1.1 -200 OK\r\n\(length($0))" },
            framed("no status", http) { "HTTP/1.1\r\n\(length($0))" },
            framed("a length of 2^70", http) { _ in "\(ok)Content-Length: 1180591620717411303424\r\n\r\n" },
            framed("a length of less than nothing", http) { "\(ok)Content-Length: -\($0)\r\n\r\n" },
            framed("a length that is not a number", http) { _ in "\(ok)Content-Length: two\r\n\r\n" },
            framed("two lengths", http) { "\(ok)Content-Length: \($0)\r\nContent-Length: \($0 + 1)\r\n\r\n" },
            framed("a length of a list", http) { "\(ok)Content-Length: \($0), \($0 + 1)\r\n\r\n" },
            framed("a length that is too long", lost) { "\(ok)\(length($0 + 100))" },
            framed("a length that is too short", "cannot be read") { "\(ok)\(length($0 - 2))" },
            framed("a length of nothing", "cannot be read") { _ in "\(ok)\(length(0))" },
            framed("an unknown transfer coding", http) { "\(ok)Transfer-Encoding: nonsense\r\n\(length($0))" },
            framed("a field without a name", http) { "\(ok): x\r\n\(length($0))" },
            framed("a field without a colon", http) { "\(ok)nonsense\r\n\(length($0))" },
            framed("a field with a NUL", http) { "\(ok)X: a\0b\r\n\(length($0))" },
            chunked("a chunk of 2^64", lost, "10000000000000000", end: "\r\n0\r\n\r\n"),
            chunked("a chunk of nonsense", lost, "xyz", end: "\r\n0\r\n\r\n"),
            chunked("a chunk of less than nothing", lost, "-1", end: "\r\n0\r\n\r\n"),
            chunked("chunks without an end", lost, "", end: "\r\n"),
            chunked("a chunk without its line end", lost, "", end: "0\r\n\r\n"),
            document("a document as half a head", lost) { $0.send("HTTP/1.1 200 OK\r\nContent-Le") },
            Story("a document as half of it", .refused(lost)) { lie in
                lie.framing = { visit, body in
                    visit.send(Array("\(ok)\(length(body.count))".utf8) + body.prefix(body.count / 2))
                }
            },
        ]
        stories += [
            document("no answer", lost) { _ in },
            document("a reset", lost) { $0.reset() },
            document("silence", stalled) { $0.hold() },
            document("endless fields", "header fields") { visit in
                visit.send("HTTP/1.1 200 OK\r\n")
                visit.sendForever(Array("X: y\r\n".utf8))
            },
            document("an endless line", "header fields") { visit in
                visit.send("HTTP/1.1 200 OK\r\nX: ")
                visit.sendForever([UInt8](repeating: 0x61, count: 1 << 16))
            },
            document("endless interim answers", "header fields") { visit in
                visit.sendForever(Array("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n".utf8))
            },
            document("endless trailers", "header fields") { visit in
                visit.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
                visit.sendForever(Array("X: y\r\n".utf8))
            },
            document("an endless document", "larger than") { visit in
                visit.send("HTTP/1.1 200 OK\r\n\r\n")
                visit.sendForever([UInt8](repeating: 0x20, count: 1 << 16))
            },
            Story("plain answers where TLS was asked for", .refused("encrypt")) { lie in
                lie.address = { "https://127.0.0.1:\($0)" }
            },
        ]
        return stories
    }

    // MARK: Statuses

    private static var statuses: [Story] {
        var stories: [Story] = []
        for (status, words) in [
            (100, stalled), (204, "answers 204"), (206, "answers 206"), (300, "answers 300"), (401, "answers 401"),
            (404, "nothing at this address"), (410, "nothing at this address"), (418, "answers 418"),
            (500, "has failed"),
            (599, "has failed"), (999, "answers 999"),
        ] {
            stories.append(document("status \(status)", words) { $0.answer(status, text: "") })
        }
        // Without a release nothing was asked that it could be the answer to.
        stories.append(
            Story("status 304", empty: .refused("304"), there: .same) { $0.onDocument = { $0.answer(304) } })
        for wish in ["0", "-1", "1", "99999999999999999999", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"] {
            for status in [429, 503] {
                stories.append(
                    document("status \(status) with Retry-After: \(wish)", "answers \(status)") { visit in
                        visit.answer(status, ["Retry-After: \(wish)"], text: "")
                    })
            }
        }
        return stories
    }

    // MARK: Redirects

    private static var redirects: [Story] {
        let refused = "where it must not go"
        var stories: [Story] = []
        for (name, location, words) in [
            ("a file", "file:///etc/passwd", refused), ("FTP", "ftp://127.0.0.1/x", refused),
            ("gopher", "gopher://127.0.0.1:70/x", refused),
            ("itself as data", "data:application/json,{}", refused), ("a script", "javascript:1", refused),
            ("nothing", "", refused),
            ("a user", "http://user:word@127.0.0.1/x", refused), ("control characters", "/v1/\u{1}\u{2}", http),
            ("a circle", "?again", "sent elsewhere more than"),
            ("a port of none", "http://127.0.0.1:99999/x", refused), ("a scheme alone", "http://", refused),
        ] {
            let answer: @Sendable (Visit) -> Void = { $0.answer(302, ["Location: \(location)"]) }
            stories += [
                document("a document that is at \(name)", words, answer),
                archive("an archive that is at \(name)", words) { visit, _ in answer(visit) },
            ]
        }
        stories += [
            document("a document that is moved to no place", "answers 301") { $0.answer(301) },
            archive("an archive that is moved to no place", "answers 301") { visit, _ in visit.answer(301) },
        ]
        return stories
    }

    // MARK: Compression

    private static let bomb = WidgetDeflate.gzip([UInt8](repeating: 0x20, count: 200 << 20), level: 9) ?? []

    private static var encodings: [Story] {
        func story(
            _ name: String, _ words: String, _ bytes: @escaping @Sendable ([UInt8]) -> [UInt8], coding: String = "gzip"
        ) -> Story {
            Story(name, .refused(words)) { lie in
                lie.bytes = bytes
                lie.fields = ["Content-Encoding: \(coding)"]
            }
        }
        @Sendable func gzip(_ bytes: [UInt8]) -> [UInt8] { WidgetDeflate.gzip(bytes, level: 6) ?? [] }
        return [
            story("a document as a bomb", "expands to more than", { _ in bomb }),
            story("a document compressed and cut", http, { Array(gzip($0).dropLast(9)) }),
            story("a document compressed twice", "cannot be read", { gzip(gzip($0)) }),
            story("a document that is not compressed and said to be", http, { $0 }),
            story("a document compressed, with more behind it", http, { gzip($0) + gzip($0) }),
            story("a document compressed by a method unknown here", http, { $0 }, coding: "br"),
            story("a document compressed by no method", http, { $0 }, coding: "nonsense"),
            Story("a compressed document", .right) { lie in
                lie.bytes = { gzip($0) }
                lie.fields = ["Content-Encoding: gzip"]
            },
            archive("an archive as a bomb", http) { visit, _ in
                visit.answer(200, ["Content-Encoding: gzip", "ETag: \"x\""], body: bomb)
            },
        ]
    }

    // MARK: Texts

    /// Problems whose texts are orders to a terminal.
    private static var texts: [Story] {
        [
            ("an escape sequence", "\\u001b[2J\\u001b]0;owned\\u0007"), ("a C1 control", "\\u009b2J"),
            ("a bell", "\\u0007"),
            ("a return", "fine\\rerror"), ("a line end", "fine\\nerror: none"), ("a backspace", "no\\b\\b"),
            ("a turn of direction", "\\u202egnorw"), ("an isolate", "\\u2066x\\u2069"),
            ("an invisible letter", "a\\u200bb"),
            ("a delete", "a\\u007f"), ("a NUL", "a\\u0000b"),
            ("a hundred thousand letters", String(repeating: "x", count: 60_000)),
        ].map { name, text in
            document("a problem that has \(name) in it", text.count < 10_000 ? "Odd" : "answers 403") { visit in
                let problem =
                    "{\"type\":\"/problems/x\",\"title\":\"Odd \(text)\",\"status\":403,\"detail\":\"\(text)\"}"
                visit.answer(403, ["Content-Type: application/problem+json"], text: problem)
            }
        } + [
            document("a problem of nine mebibytes", "larger than") { visit in
                visit.answer(403, body: [UInt8](repeating: 0x20, count: 9 << 20))
            }
        ]
    }

    // MARK: Archives

    private static var archives: [Story] {
        let whole = [
            archive("an archive that is gone", "does not have it") { visit, _ in visit.answer(404) },
            archive("an archive that is withdrawn", "does not have it") { visit, _ in visit.answer(410) },
            archive("an archive of a broken server", "has failed") { visit, _ in visit.answer(500) },
            archive("an archive of a server that is away", "answers 503") { visit, _ in
                visit.answer(503, ["Retry-After: 0"])
            },
            archive("an archive that is reset", lost) { visit, _ in visit.reset() },
            archive("an archive that never comes", stalled) { visit, _ in visit.hold() },
            archive("an archive that is empty", "bytes and not") { visit, _ in visit.answer(200, [tag(visit)]) },
            archive("an archive that ends early and is said to be whole", "bytes and not") { visit, bytes in
                HostileRegistry.serve(visit, Array(bytes.prefix(100)), tag: name(visit))
            },
            archive("an archive that does not end", "larger than") { visit, _ in
                visit.send("HTTP/1.1 200 OK\r\n\(tag(visit))\r\n\r\n")
                visit.sendForever([UInt8](repeating: 0x50, count: 1 << 16))
            },
            archive("an archive that is a page of a portal", "bytes and not") { visit, _ in
                visit.answer(200, [tag(visit)], text: "<html>Please log in</html>")
            },
            archive("an archive without a status", http) { visit, bytes in visit.send(bytes) },
            archive("an archive by ranges that were not asked for", http) { visit, bytes in
                visit.answer(
                    206, [tag(visit), HostileRegistry.range206(0..<9, of: bytes.count)], body: Array(bytes[..<9]))
            },
        ]
        return whole + damaged
    }

    private static var damaged: [Story] {
        func story(
            _ name: String, _ words: String, there: Story.Outcome, _ change: @escaping @Sendable (inout [UInt8]) -> Void
        ) -> Story {
            Story("an archive with \(name)", empty: .refused(words), there: there) { lie in
                lie.archive = { bytes in
                    var bytes = bytes
                    change(&bytes)
                    return bytes
                }
            }
        }
        // Where parts are fetched, the bytes elsewhere are not read.
        return [
            story("another first byte", "SHA-256", there: .right) { $0[0] ^= 1 },
            story("another last byte", "SHA-256", there: .right) { $0[$0.count - 1] ^= 1 },
            story("a byte more", "larger than", there: .right) { $0.append(0) },
            story("a byte before it", "larger than", there: .refused("larger than")) { $0.insert(0, at: 0) },
            story("noise in its place", "SHA-256", there: .refused("SHA-256")) { $0 = $0.map { $0 ^ 0x5A } },
            // Of the announced size, since another size is refused earlier.
            story("another release in its place", "SHA-256", there: .refused("SHA-256")) { bytes in
                let other = (try? Offer.other.get().archive) ?? []
                let missing = max(0, bytes.count - other.count)
                bytes = Array((other + [UInt8](repeating: 0, count: missing)).prefix(bytes.count))
            },
        ]
    }

    private static func name(_ visit: Visit) -> String { "\"sha256-\(visit.request.target.suffix(64))\"" }
    private static func tag(_ visit: Visit) -> String { "ETag: \(name(visit))" }

    // MARK: Ranges

    /// Answers to a request for a part, none of which is the part. The whole is right, and is fetched instead.
    private static var ranges: [Story] {
        func story(_ name: String, _ answer: @escaping @Sendable (Visit, Range<Int>, [UInt8]) -> Void) -> Story {
            Story("a part as \(name)", .right) { $0.part = answer }
        }
        @Sendable func shifted(_ range: Range<Int>, _ by: Int) -> Range<Int> {
            range.lowerBound + by..<range.upperBound + by
        }
        return [
            story("the whole") { visit, _, bytes in visit.answer(200, [tag(visit)], body: bytes) },
            story("another part") { visit, range, bytes in
                visit.answer(
                    206, [tag(visit), HostileRegistry.range206(range, of: bytes.count)],
                    body: Array(bytes[shifted(range, -1)]))
            },
            story("another part, admitted") { visit, range, bytes in
                let other = shifted(range, -1)
                visit.answer(
                    206, [tag(visit), HostileRegistry.range206(other, of: bytes.count)], body: Array(bytes[other]))
            },
            story("less") { visit, range, bytes in
                visit.answer(
                    206, [tag(visit), HostileRegistry.range206(range, of: bytes.count)],
                    body: Array(bytes[range].dropLast()))
            },
            story("more") { visit, range, bytes in
                visit.answer(
                    206, [tag(visit), HostileRegistry.range206(range, of: bytes.count)], body: Array(bytes[range]) + [0]
                )
            },
            story("nothing that says which") { visit, range, bytes in
                visit.answer(206, [tag(visit)], body: Array(bytes[range]))
            },
            story("several parts") { visit, range, bytes in
                visit.answer(
                    206, [tag(visit), "Content-Type: multipart/byteranges; boundary=x"], body: Array(bytes[range]))
            },
            story("none that there is") { visit, _, bytes in
                visit.answer(416, ["Content-Range: bytes */\(bytes.count)"])
            },
            story("that of another tag") { visit, range, bytes in
                visit.answer(
                    206, ["ETag: \"other\"", HostileRegistry.range206(range, of: bytes.count)],
                    body: Array(bytes[range]))
            },
            story("that of no tag") { visit, range, bytes in
                visit.answer(206, [HostileRegistry.range206(range, of: bytes.count)], body: Array(bytes[range]))
            },
            story("that of a weak tag") { visit, range, bytes in
                visit.answer(
                    206, ["ETag: W/\(name(visit))", HostileRegistry.range206(range, of: bytes.count)],
                    body: Array(bytes[range]))
            },
            story("that of another archive") { visit, range, bytes in
                visit.answer(
                    206, [tag(visit), HostileRegistry.range206(range, of: bytes.count + 1)], body: Array(bytes[range]))
            },
            story("noise") { visit, range, bytes in
                visit.answer(
                    206, [tag(visit), HostileRegistry.range206(range, of: bytes.count)], body: range.map { _ in 0x5A })
            },
            story("nonsense") { visit, range, bytes in
                visit.answer(206, [tag(visit), "Content-Range: lines 1-2/3"], body: Array(bytes[range]))
            },
            story("status 404") { visit, _, _ in visit.answer(404) },
        ]
    }
}
