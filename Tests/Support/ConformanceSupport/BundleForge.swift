internal import WidgetBytes
internal import WidgetTestSupport

/// A bundle as a publisher packs it, made anew for each case, and valid unless the case changes it.
package struct BundleForge: Sendable {
    package var identifier: String
    /// Of the bundle's folder.
    package var name = "Sample"
    package var version: String?
    package var build: String?
    /// Further members of Info.plist, whose values are strings.
    package var info: [(String, String)] = []
    /// Beside Info.plist.
    package var files: [(path: String, bytes: [UInt8])]
    package var isStored = false

    /// - Parameter text: what makes the contents differ from those of another bundle.
    package init(_ identifier: String, _ version: String? = "1.0", _ build: String? = "1", text: String = "Hello") {
        self.identifier = identifier
        self.version = version
        self.build = build
        let strings = "\"greeting\" = \"\(text) from \(identifier)\";\n"
        files = [("en.lproj/Localizable.strings", Array(strings.utf8))]
    }

    /// The same with some fields changed.
    package func with(_ change: (inout BundleForge) -> Void) -> BundleForge {
        var copy = self
        change(&copy)
        return copy
    }

    /// The same with one more file.
    package func adding(_ path: String, _ text: String) -> BundleForge {
        with { $0.files.append((path, Array(text.utf8))) }
    }

    package func adding(_ path: String, bytes: [UInt8]) -> BundleForge {
        with { $0.files.append((path, bytes)) }
    }

    /// The same with a screen to begin with, which the strict ask for.
    package var withScreen: BundleForge {
        with { $0.files += FirstScreenFiles.all.map { (path: $0.0, bytes: $0.1) } }
    }

    /// The same with a file that does not compress, so that the archive has 80 KiB and more.
    package func large(seed: Int) -> BundleForge {
        var generator = SeededGenerator(seed: UInt64(seed))
        let digits = (0..<160_000).map { _ in String(UInt8.random(in: 0..<16, using: &generator), radix: 16) }
        return adding("large.json", "[\"" + digits.joined() + "\"]")
    }

    package var key: String { "\(version ?? "1.0")~\(build ?? "1")" }

    package var infoPlist: [UInt8] {
        var members = [("CFBundleIdentifier", identifier), ("CFBundleName", name)]
        if let version { members.append(("CFBundleShortVersionString", version)) }
        if let build { members.append(("CFBundleVersion", build)) }
        let body = (members + info).map { "<key>\($0.0)</key><string>\($0.1)</string>" }.joined()
        return Array("<plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
    }

    /// Everything inside the bundle's folder.
    package var contents: [(path: String, bytes: [UInt8])] { [("Info.plist", infoPlist)] + files }

    package var archive: [UInt8] { archive(order: { $0 }) }

    /// - Parameter order: how the packer arranges its files.
    package func archive(
        order: ([(path: String, bytes: [UInt8])]) -> [(path: String, bytes: [UInt8])]
    ) -> [UInt8] {
        ZipForge(order(contents).map { .init(Array("\(name).bundle/\($0.path)".utf8), $0.bytes, stored: isStored) })
            .build().bytes
    }

    /// The content digest as the contract defines it, of bundles from which nothing is stripped.
    package var contentDigest: String {
        let lines = contents.sorted { Array($0.path.utf8).lexicographicallyPrecedes(Array($1.path.utf8)) }.flatMap {
            Array("\($0.path)\0\($0.bytes.count)\0\(BundleForge.sha256($0.bytes))\n".utf8)
        }
        return BundleForge.sha256(lines)
    }

    package static func sha256(_ bytes: [UInt8]) -> String { Digest.sha256(bytes)?.hex ?? "" }

    /// The value of `Content-Digest` and `Repr-Digest`.
    package static func digestField(_ bytes: [UInt8]) -> String {
        "sha-256=:\(Digest.sha256(bytes)?.base64 ?? ""):"
    }
}
