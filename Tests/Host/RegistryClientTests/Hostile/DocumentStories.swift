import HostileServer
import RegistryClient
import RegistryContract
import WidgetBytes

/// Attacks by a registry in the resolve document.
enum DocumentStories {
    static let all =
        digests + sizes + places + sequences + names + buckets + syntax + addresses + others + weights

    /// The candidate of the second release, in its document's text.
    private static func text(_ value: some Any, _ name: String) -> String { "\"\(name)\":\(value)" }

    private static let candidate = Result { ReleaseCandidate(try Offer.changed.get()) }

    private static func value<Value>(_ read: (ReleaseCandidate) -> Value) -> Value {
        guard let candidate = try? candidate.get() else { preconditionFailure("the sample cannot be made") }
        return read(candidate)
    }

    private static var archive: String { value { $0.digest.hex } }
    private static var content: String { value { $0.contentDigest.hex } }
    private static var size: Int { value { $0.byteCount } }
    /// Of the file that is another in the second release.
    private static var scheme: FileDocument { value { $0.files.first { $0.path == "Scheme.json" } ?? FileDocument() } }

    /// Flips the first digit.
    private static func flipped(_ hex: String) -> String { (hex.first == "0" ? "1" : "0") + hex.dropFirst() }

    // MARK: Digests

    private static var digests: [Story] {
        let unreadable = Story.Outcome.refused("cannot be read")
        var stories: [Story] = []
        for (what, hex, name) in [
            ("the archive", archive, "sha256"), ("the contents", content, "content"),
            ("a file", scheme.digest.hex, "sha256"),
        ] {
            let whole = text("\"\(hex)\"", name)
            stories += [
                Story(
                    "a digest of \(what) that is too short", unreadable, replacing: whole,
                    with: text("\"\(hex.dropLast())\"", name)),
                Story(
                    "a digest of \(what) that is too long", unreadable, replacing: whole,
                    with: text("\"\(hex)0\"", name)),
                Story(
                    "a digest of \(what) in capitals", unreadable, replacing: whole,
                    with: text("\"\(hex.uppercased())\"", name)),
                Story(
                    "an invalid digest of \(what)", unreadable, replacing: whole,
                    with: text("\"\(String(repeating: "g", count: 64))\"", name)),
                Story("a digest of \(what) that is empty", unreadable, replacing: whole, with: text("\"\"", name)),
                Story("a digest of \(what) that is null", unreadable, replacing: whole, with: text("null", name)),
                Story("a digest of \(what) that is a number", unreadable, replacing: whole, with: text("7", name)),
            ]
        }
        stories += [
            // Where parts are fetched, each file is proven and the archive's own digest is not compared.
            Story("another digest of the archive", empty: .refused("SHA-256"), there: .right) { lie in
                lie.document = {
                    $0.candidates[0].digest = Digest(repeating: 9)
                    $0.candidates[0].url = RegistryPath.blob(Digest(repeating: 9))
                }
            },
            Story(
                "another digest of the contents", .refused("content digest is not that of the files"),
                replacing: content, with: flipped(content)),
            Story(
                "another digest of a file", .refused("content digest is not that of the files"),
                replacing: scheme.digest.hex, with: flipped(scheme.digest.hex)),
            Story("another digest of a file, and contents that fit it", .refused("content digest is")) { lie in
                lie.document = { change(&$0, "Scheme.json") { file in file.digest = Digest(repeating: 7) } }
            },
        ]
        return stories
    }

    /// Changes one file of the list, and the content digest with it.
    private static func change(
        _ document: inout ResolutionDocument, _ path: String, _ body: (inout FileDocument) -> Void
    ) {
        var files = document.candidates[0].files
        for index in files.indices where files[index].path == path { body(&files[index]) }
        document.candidates[0].files = files
        document.candidates[0].fit()
    }

    // MARK: Sizes and places

    private static var sizes: [Story] {
        var stories: [Story] = []
        for (what, value, words) in [
            ("0", "0", "size is impossible"), ("-1", "-1", "size is impossible"),
            ("beyond the limit", "67108865", "size is impossible"),
            ("2^62", "4611686018427387904", "size is impossible"),
            ("2^63", "9223372036854775808", "cannot be read"), ("2^70", "1180591620717411303424", "cannot be read"),
            ("a fraction", "\(size).5", "cannot be read"), ("an exponent beyond numbers", "1e999", "cannot be read"),
            ("a text", "\"\(size)\"", "cannot be read"), ("null", "null", "cannot be read"),
            ("true", "true", "cannot be read"), ("hexadecimal", "0x10", "cannot be read"),
        ] {
            stories.append(
                Story(
                    "a size of the archive that is \(what)", .refused(words),
                    replacing: "\"size\":\(size),\"name\"", with: "\"size\":\(value),\"name\""))
        }
        stories += [
            Story("an archive that is said to be a byte larger", empty: .refused("bytes and not"), there: .right) {
                lie in
                lie.document = { $0.candidates[0].byteCount += 1 }
            },
            Story("an archive that is said to be a byte smaller", empty: .refused("larger than"), there: .right) {
                lie in
                lie.document = { $0.candidates[0].byteCount -= 1 }
            },
            Story("an archive that is said to be one byte", .refused("do not fit")) { lie in
                lie.document = { $0.candidates[0].byteCount = 1 }
            },
            Story("a file that is said to be a byte larger", .refused("content digest is")) { lie in
                lie.document = { change(&$0, "Scheme.json") { $0.byteCount += 1 } }
            },
            Story("a file that is said to be a byte smaller", .refused("content digest is")) { lie in
                lie.document = { change(&$0, "Scheme.json") { $0.byteCount -= 1 } }
            },
            Story("a file that is said to be 2^62 bytes", .refused("do not fit")) { lie in
                lie.document = { change(&$0, "Scheme.json") { $0.byteCount = 1 << 62 } }
            },
            Story("a file that is said to be less than nothing", .refused("cannot be read")) { lie in
                lie.document = { change(&$0, "Scheme.json") { $0.byteCount = -1 } }
            },
            Story("files that are larger together than a bundle may be", .refused("do not fit")) { lie in
                lie.document = { document in
                    for path in ["Data.json", "Info.plist", "Scheme.json", "en.lproj/Localizable.strings"] {
                        change(&document, path) { $0.byteCount = 60 << 20 }
                    }
                    var files = document.candidates[0].files
                    for number in 0..<8 {
                        var file = files[files.count - 1]
                        file.path = "z\(number)"
                        (file.offset, file.compressedByteCount) = (files[files.count - 1].dataRange.upperBound, 0)
                        files.append(file)
                    }
                    document.candidates[0].files = files
                    document.candidates[0].fit()
                }
            },
        ]
        return stories
    }

    private static var places: [Story] {
        func story(
            _ name: String, empty: Story.Outcome? = nil, _ there: Story.Outcome,
            _ body: @escaping @Sendable (inout FileDocument) -> Void
        ) -> Story {
            Story(name, empty: empty ?? there, there: there) { lie in
                lie.document = { change(&$0, "Scheme.json", body) }
            }
        }
        return [
            story("a file before the archive", .refused("cannot be read")) { $0.offset = -1 },
            story("a file behind the archive", .refused("do not fit")) { $0.offset = 1 << 40 },
            story("a file at 2^62", .refused("do not fit")) { $0.offset = 1 << 62 },
            story("a file whose end is not a number", .refused("cannot be read")) {
                ($0.offset, $0.compressedByteCount) = (.max, .max)
            },
            story("a file in the place of another", .refused("do not fit")) { $0.offset = 0 },
            story("compressed data of less than nothing", .refused("cannot be read")) { $0.compressedByteCount = -1 },
            story("compressed data of 2^62 bytes", .refused("do not fit")) { $0.compressedByteCount = 1 << 62 },
            // The list is wrong about the archive, and the archive has the last word.
            story("compressed data a byte short", .right) { $0.compressedByteCount -= 1 },
            story("compressed data of no length", .right) { $0.compressedByteCount = 0 },
            story("a file a byte before its place", .right) { $0.offset -= 1 },
            story("a deflated file that is said to be stored", .right) {
                $0.method = $0.method == "stored" ? "deflate" : "stored"
            },
            story("a file packed by an unknown method", .right) { $0.method = "zstd" },
        ]
    }

    // MARK: The channel's state

    private static var sequences: [Story] {
        let unreadable = Story.Outcome.refused("cannot be read")
        var stories: [Story] = []
        for (what, value, outcome) in [
            ("0", "0", Story.Outcome.refused("not positive")), ("negative", "-3", .refused("not positive")),
            ("a text", "\"3\"", unreadable), ("a fraction", "3.5", unreadable), ("null", "null", unreadable),
            ("2^63", "9223372036854775808", unreadable), ("2^40 higher", "1099511627776", .refused("jumps from")),
            ("2^63 - 1", "9223372036854775807", .refused("jumps from")),
        ] {
            stories.append(
                Story("a state that is \(what)", outcome, replacing: "\"sequence\":3", with: "\"sequence\":\(value)"))
        }
        stories.append(Story("a state that is missing", unreadable, replacing: "\"sequence\":3,", with: ""))
        for (what, before, behind) in [
            ("", "http://127.0.0.1:", ""), (" behind a slash", "http://127.0.0.1:", "/"),
            (" behind a dot", "http://127.0.0.1:", "/."), (" of 127.1", "http://127.1:", ""),
            (" of a number", "http://2130706433:", ""), (" of a hexadecimal number", "http://0x7f000001:", ""),
            (" in capitals", "HTTP://127.0.0.1:", ""),
        ] {
            stories.append(
                Story("an earlier state\(what)", empty: .right, there: .refused("has been seen")) { lie in
                    lie.document = { $0.sequence = 1 }
                    lie.address = { "\(before)\($0)\(behind)" }
                })
        }
        stories += [
            Story("the same state with another release", empty: .right, there: .refused("another release in state 2")) {
                lie in
                lie.document = { $0.sequence = 2 }
            },
            Story(
                "the same state with nothing", empty: .refused("no release for this installation"),
                there: .refused("another release in state 2")
            ) { lie in
                lie.document = { ($0.sequence, $0.candidates) = (2, []) }
            },
            Story("nothing for this host", empty: .refused("no release for this installation"), there: .same) { lie in
                lie.document = { $0.candidates = [] }
            },
        ]
        return stories
    }

    // MARK: Names

    private static var names: [Story] {
        var stories: [Story] = []
        for (identifier, words) in [
            ("com.other.Thing", "does not begin"), ("com.example.Other", "does not begin"),
            ("com.example.Sample-1x", "does not begin"), ("com.example.sample", "does not begin"),
            ("com.example.Sam", "what arrived is com.example.Sample"),
            ("com.example", "what arrived is com.example.Sample"),
            ("com", "identifier is invalid"), ("", "identifier is invalid"), ("..", "identifier is invalid"),
            ("../../etc", "identifier is invalid"),
            ("com.example.Sample/..", "identifier is invalid"), ("com.example.Sample\\u0000", "identifier is invalid"),
            ("com.example.Sample ", "identifier is invalid"), ("com..Sample", "identifier is invalid"),
            (String(repeating: "a", count: 100_000), "identifier is invalid"),
            ("com.example.S\\u00e4mple", "identifier is invalid"),
        ] {
            stories.append(
                Story(
                    "the bundle \(identifier.prefix(40))", .refused(words),
                    replacing: "\"bundleIdentifier\":\"com.example.Sample\"",
                    with: "\"bundleIdentifier\":\"\(identifier)\""))
        }
        // With a release there, a bundle of some of these names is put together from files, and refused then.
        for (name, words) in [
            ("../Sample", "what arrived is"), ("", "the bundle is refused"), ("..", "the bundle is refused"),
            ("a/b", "the bundle is refused"), ("Sample\\u0000", "what arrived is"),
        ] {
            stories.append(
                Story(
                    "a folder \(name)", empty: .refused("what arrived is"), there: .refused(words),
                    replacing: "\"name\":\"Sample\"", with: "\"name\":\"\(name)\""))
        }
        for name in ["Other", "sample"] {
            stories.append(
                Story("a folder \(name)", empty: .refused("what arrived is Sample.bundle"), there: .consistent) { lie in
                    lie.document = { $0.candidates[0].name = name }
                })
        }
        for (key, words) in [
            ("2.0~9", "what arrived is 1.0~1"), ("1.0~2", "what arrived is 1.0~1"), ("../1", "release key is invalid"),
            ("", "release key is invalid"), ("1.0", "release key is invalid"), ("~", "release key is invalid"),
            ("1.0~1+000000000000", "what arrived is 1.0~1"), ("1.0~1\\n", "release key is invalid"),
        ] {
            stories.append(
                Story(
                    "a release \(key)", .refused(words), replacing: "\"release\":\"1.0~1\"",
                    with: "\"release\":\"\(key)\""))
        }
        stories += [
            Story(
                "another widget", .refused("about another widget"),
                replacing: "\"widgetIdentifier\":\"com.example.Sample-1\"",
                with: "\"widgetIdentifier\":\"com.example.Sample-2\""),
            Story(
                "another channel", .refused("about another channel"), replacing: "\"channel\":\"stable\"",
                with: "\"channel\":\"beta\""),
            Story("another bundle than the pinned one", .refused("only com.example.Sample is allowed")) { lie in
                lie.options = { $0.pin = "com.example.Sample" }
                lie.document = { $0.bundleIdentifier = "com.example" }
            },
        ]
        return stories
    }

    // MARK: Buckets

    private static var buckets: [Story] {
        var stories: [Story] = []
        for (what, value) in [
            ("end beyond the last", "[0,10001]"), ("end at 2^60", "[0,1152921504606846976]"),
            ("go backwards", "[10000,0]"),
            ("are empty", "[10,10]"), ("are one number", "[0]"), ("are three numbers", "[0,5000,10000]"),
            ("are none", "[]"),
            ("begin before the first", "[-1,10000]"),
        ] {
            stories.append(
                Story("buckets that \(what)", .refused("buckets"), replacing: "[0,10000]", with: value))
        }
        stories += [
            Story("buckets that are a text", .refused("cannot be read"), replacing: "[0,10000]", with: "\"all\""),
            Story(
                "buckets that are fractions", .refused("cannot be read"), replacing: "[0,10000]", with: "[0.5,10000]"),
            Story("buckets that overlap", .refused("buckets overlap")) { lie in
                lie.document = { $0.candidates.append($0.candidates[0]) }
            },
            Story("seventeen candidates", .refused("too many candidates")) { lie in
                lie.document = { $0.candidates = Array(repeating: $0.candidates[0], count: 17) }
            },
            Story("ten thousand candidates", .refused("cannot be read")) { lie in
                lie.text = { text in
                    text.replacing(#/"candidates":\[.*\]}/#) { _ in
                        "\"candidates\":[\(Array(repeating: "{\"buckets\":[0,1]}", count: 10_000).joined(separator: ","))]}"
                    }
                }
            },
            Story("no candidates at all", .refused("cannot be read")) { lie in
                lie.text = { $0.replacing(#/,"candidates":\[.*\]}/#, with: "}") }
            },
            Story("another salt", .right) { lie in lie.document = { $0.salt = "other" } },
        ]
        return stories
    }

    // MARK: JSON

    private static var syntax: [Story] {
        let unreadable = Story.Outcome.refused("cannot be read")
        func story(_ name: String, _ text: @escaping @Sendable (String) -> String) -> Story {
            Story(name, unreadable) { $0.text = text }
        }
        func bytes(_ name: String, _ bytes: @escaping @Sendable ([UInt8]) -> [UInt8]) -> Story {
            Story(name, unreadable) { $0.bytes = bytes }
        }
        return [
            story("a member twice") { $0.replacing("\"sequence\":3", with: "\"sequence\":2,\"sequence\":3") },
            story("a member twice, once escaped") {
                $0.replacing("\"sequence\":3", with: "\"sequence\":3,\"\\u0073equence\":2")
            },
            story("NaN") { $0.replacing("\"sequence\":3", with: "\"sequence\":NaN") },
            story("Infinity") { $0.replacing("\"sequence\":3", with: "\"sequence\":Infinity") },
            story("a leading zero") { $0.replacing("\"sequence\":3", with: "\"sequence\":03") },
            story("a leading plus") { $0.replacing("\"sequence\":3", with: "\"sequence\":+3") },
            story("a comment") { "// registry\n" + $0 },
            story("a comma too many") { $0.replacing("\"sequence\":3,", with: "\"sequence\":3,,") },
            story("a comma at the end") { $0.replacing("]}", with: "],}") },
            story("single quotes") { $0.replacing("\"", with: "'") },
            story("a document behind the document") { $0 + $0 },
            story("text behind the document") { $0 + "x" },
            story("half a document") { String($0.prefix($0.count / 2)) },
            story("nothing") { _ in "" },
            story("null") { _ in "null" },
            story("a list") { "[\($0)]" },
            story("a page of a portal") { _ in "<!DOCTYPE html><html><body>Please log in</body></html>" },
            story("a line end in a text") { $0.replacing("\"salt\":\"", with: "\"salt\":\"\n") },
            story("half a surrogate pair") { $0.replacing("\"salt\":\"", with: "\"salt\":\"\\ud800") },
            story("an unknown escape") { $0.replacing("\"salt\":\"", with: "\"salt\":\"\\x41") },
            bytes("a mark of the byte order") { [0xEF, 0xBB, 0xBF] + $0 },
            bytes("UTF-16") { [0xFF, 0xFE] + $0.flatMap { [$0, 0] } },
            bytes("bytes that are no text") { Array($0.dropLast(3)) + [0xC3, 0x28] + $0.suffix(3) },
            bytes("a NUL") { $0 + [0] },
        ]
    }

    /// Made before the server answers, because a host gives up on an answer that does not move.
    private static let millionMembers = (0..<1_000_000).map { "\"\($0)\":0," }.joined()

    private static var weights: [Story] {
        let members = millionMembers
        func story(_ name: String, _ words: String, _ text: @escaping @Sendable (String) -> String) -> Story {
            Story(name, .refused(words)) { $0.text = text }
        }
        return [
            story("a document a hundred thousand deep", "cannot be read") { _ in String(repeating: "[", count: 100_000)
            },
            story("a million members", "larger than") { "{\(members)\($0.dropFirst())" },
            Story("nine mebibytes", .refused("larger than")) { lie in
                lie.bytes = { [UInt8](repeating: 0x20, count: 9 << 20) + $0 }
            },
            story("forty thousand files", "do not fit") { text in
                text.replacing(#/"files":\[.*?\]/#) { _ in
                    let file =
                        "{\"path\":\"a\",\"size\":0,\"sha256\":\"\(String(repeating: "0", count: 64))\",\"offset\":0,\"compressedSize\":0,\"method\":\"stored\"}"
                    return "\"files\":[\(Array(repeating: file, count: 40_000).joined(separator: ","))]"
                }
            },
            story("a number of a million digits", "cannot be read") {
                $0.replacing("\"sequence\":3", with: "\"sequence\":1\(String(repeating: "0", count: 1_000_000))")
            },
        ]
    }

    // MARK: Addresses

    private static var addresses: [Story] {
        let invalid = "not an address on the web"
        var stories: [Story] = []
        for (what, url, words) in [
            ("at another host", "http://elsewhere.test/x", "not at the registry"),
            ("at another port", "http://127.0.0.1:1/x", "not at the registry"),
            ("by another scheme", "https://127.0.0.1/x", "not at the registry"),
            ("at another host without a scheme", "//elsewhere.test/x", "not at the registry"),
            ("in a file", "file:///etc/passwd", invalid), ("by FTP", "ftp://127.0.0.1/x", invalid),
            ("by gopher", "gopher://127.0.0.1/x", invalid),
            ("in itself", "data:application/zip;base64,UEs=", invalid), ("in a script", "javascript:alert(1)", invalid),
            ("of a user", "http://user:word@127.0.0.1:1/x", invalid), ("of two lines", "/v1/blobs\\r\\nX: y", invalid),
            ("with a NUL", "/v1/blobs\\u0000", invalid), ("with a blank", "/v1/blobs/a b", invalid),
            ("above the registry", "/v1/../../x", "does not have it"),
            ("with a percent sign at the end", "/v1/blobs/%", "does not have it"),
            ("of a hundred thousand letters", "/v1/" + String(repeating: "x", count: 100_000), invalid),
            ("nowhere", "", invalid), ("with a backslash", "\\\\\\\\elsewhere.test\\\\x", invalid),
        ] {
            // With a release there nothing is asked beyond the registry either.
            stories.append(
                Story("an archive \(what)", .refused(words)) { lie in
                    lie.text = { $0.replacing(#/"url":"[^"]*"/#) { _ in "\"url\":\"\(url)\"" } }
                })
        }
        return stories
    }

    // MARK: Files

    private static var others: [Story] {
        func list(
            _ name: String, _ words: String, there: Story.Outcome? = nil,
            _ change: @escaping @Sendable (inout [FileDocument]) -> Void
        )
            -> Story
        {
            Story(name, empty: .refused(words), there: there ?? .refused(words)) { lie in
                lie.document = { document in
                    var files = document.candidates[0].files
                    change(&files)
                    document.candidates[0].files = files
                    document.candidates[0].fit()
                }
            }
        }
        return [
            list("more files than there are", "content digest is") { files in
                var file = files[files.count - 1]
                (file.path, file.offset) = ("zz.json", file.dataRange.upperBound)
                (file.compressedByteCount, file.byteCount) = (0, 0)
                files.append(file)
            },
            list("fewer files than there are", "content digest is", there: .consistent) { $0.removeLast() },
            list("no files", "do not fit") { $0 = [] },
            list("a file under another name", "content digest is", there: .consistent) { $0[0].path = "Dat.json" },
            list("a file twice", "do not fit") { $0.append($0[$0.count - 1]) },
            list("files in another order", "do not fit") { $0.reverse() },
            list("a file above its folder", "content digest is") { $0[0].path = "../Data.json" },
            list("a file at the root", "content digest is") { $0[0].path = "/etc/passwd" },
            list("a file without a name", "content digest is") { $0[0].path = "" },
            list("a file with a NUL in its name", "content digest is") { $0[0].path = "Data\0.json" },
            Story("the files of another release", .refused("content digest is")) { lie in
                lie.document = { document in
                    guard let other = try? Offer.other.get() else { return }
                    let candidate = ReleaseCandidate(other)
                    document.candidates[0].files = candidate.files
                    document.candidates[0].contentDigest = candidate.contentDigest
                    document.candidates[0].byteCount = max(candidate.byteCount, document.candidates[0].byteCount)
                }
            },
        ]
    }
}
