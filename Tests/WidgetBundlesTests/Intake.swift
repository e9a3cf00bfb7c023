import Files
import TestSupport
import WidgetBundles

/// Archives of bundles as tests make them, taken in as the product does.
enum Intake {
    static let info = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Sample</string>\
        <key>CFBundleName</key><string>Sample</string><key>CFBundleExecutable</key><string>Sample</string>\
        <key>CFBundleShortVersionString</key><string>1.2</string><key>CFBundleVersion</key><string>7</string></dict>\
        </plist>
        """.utf8)

    /// A dictionary in the XML form; `nil` removes a key of the sound one.
    static func info(_ changes: [String: String?]) -> [UInt8] {
        var members: [(String, String)] = [
            ("CFBundleIdentifier", "<string>com.example.Sample</string>"), ("CFBundleName", "<string>Sample</string>"),
            ("CFBundleExecutable", "<string>Sample</string>"),
            ("CFBundleShortVersionString", "<string>1.2</string>"), ("CFBundleVersion", "<string>7</string>"),
        ]
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            members.removeAll { $0.0 == key }
            if let value { members.append((key, value)) }
        }
        let body = members.map { "<key>\($0.0)</key>\($0.1)" }.joined()
        return Array("<plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
    }

    /// The files in `Sample.bundle/`, with a sound dictionary unless there is one.
    static func archive(_ files: [(String, [UInt8])], stored: Bool = false) -> [UInt8] {
        var files = files
        if !files.contains(where: { $0.0 == "Info.plist" }) { files.insert(("Info.plist", info), at: 0) }
        return raw(files.map { ("Sample.bundle/\($0.0)", $0.1) }, stored: stored)
    }

    static func raw(_ files: [(String, [UInt8])], stored: Bool = false) -> [UInt8] {
        ZipForge(files.map { .init(Array($0.0.utf8), $0.1, stored: stored) }).build().bytes
    }

    struct Result {
        var bytes: [UInt8]
        var bundle: WidgetBundle
        var report: BundleReport
    }

    static func take(
        _ bytes: [UInt8], strict: Bool = false, policy: BundlePolicy = BundlePolicy()
    ) throws -> Result {
        let source = try FileDescriptor.unnamed(inDirectory: "/tmp")
        try source.write(bytes, at: 0)
        let target = try FileDescriptor.unnamed(inDirectory: "/tmp")
        let taken = try BundleIntake(policy: policy, isStrict: strict).take(source, into: target)
        let written = try target.read(at: 0, count: taken.bundle.byteCount)
        return Result(bytes: written, bundle: taken.bundle, report: taken.report)
    }

    /// Why it is refused, or `nil` when it is taken in.
    static func refusal(
        _ bytes: [UInt8], strict: Bool = false, policy: BundlePolicy = BundlePolicy()
    ) throws -> BundleError? {
        do {
            _ = try take(bytes, strict: strict, policy: policy)
            return nil
        } catch let error as BundleError {
            return error
        }
    }
}
