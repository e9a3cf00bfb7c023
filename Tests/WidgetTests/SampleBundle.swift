import TestSupport

/// The smallest bundle, as an archive.
enum SampleBundle {
    static let info = Array(
        """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Sample</string>\
        <key>CFBundleName</key><string>Sample</string><key>CFBundleShortVersionString</key><string>1.0</string>\
        <key>CFBundleVersion</key><string>1</string></dict></plist>
        """.utf8)

    static func archive(_ files: [(String, String)] = []) -> [UInt8] {
        let all = [("Info.plist", info)] + files.map { ($0.0, Array($0.1.utf8)) }
        return ZipForge(all.map { .init(Array("Sample.bundle/\($0.0)".utf8), $0.1) }).build().bytes
    }

    /// One that reaches for the host.
    static let evil = archive([
        ("Feed.json", "{\"Feed\": {\"elements\": {\"a\": {\"bindings\": [\n{\"predicateFormat\": \"a = %@\"}]}}}}")
    ])
}
