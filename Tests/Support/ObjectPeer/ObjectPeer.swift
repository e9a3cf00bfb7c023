internal import Foundation
package import ObjectStore
internal import WidgetTestSupport

/// A real store of objects, which checks signatures: OpenStack Swift, started once for a process of tests and ended with it.
package final class ObjectPeer: Sendable {
    package struct DidNotStart: Error, CustomStringConvertible {
        package let description: String
    }

    /// True where Debian's packages of Swift are there. Says so where they are not.
    package static let isInstalled: Bool = {
        let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/swift-proxy-server")
        if !isThere {
            let words =
                "\nWARNING: OpenStack Swift is not installed, so storing objects is tested against a double alone. Run .ci/setup s3\n\n"
            FileHandle.standardError.write(Data(words.utf8))
        }
        return isThere
    }()

    package static let shared = Result { try ObjectPeer() }

    package let credentials: ObjectCredentials
    private let values: [String: String]
    private let process = ChildProcess()
    /// The other end of the peer's standard input, with which it ends.
    private let tie = Pipe()

    package init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "\(Corpus.repositoryRoot)/Tests/Cluster/s3-peer")
        process.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "S3_TIED": "1"]
        process.standardInput = .pipe(tie)
        process.standardOutput = .pipe(output)
        process.longest = nil
        try process.run()
        var text = ""
        while !text.hasSuffix("READY\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw DidNotStart(description: "the store of objects did not start: \(text)") }
            text += String(decoding: more, as: UTF8.self)
        }
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: "=", maxSplits: 1)
            if halves.count == 2 { values[String(halves[0])] = String(halves[1]) }
        }
        self.values = values
        credentials = ObjectCredentials(
            accessKey: values["S3_ACCESS_KEY"] ?? "", secret: values["S3_SECRET_KEY"] ?? "")
    }

    /// A place for one test.
    package func place() throws -> ObjectPlace { try ObjectPlace(address()) }

    /// The same, as an operator writes it.
    package func address() -> String {
        "s3://\(values["S3_BUCKET"] ?? "")/\(UUID().uuidString)?endpoint=\(values["S3_ENDPOINT"] ?? "")"
            + "&region=\(values["S3_REGION"] ?? "")"
    }

    /// The key, as AWS's own tools keep it.
    package var keyFile: String {
        "[default]\naws_access_key_id = \(values["S3_ACCESS_KEY"] ?? "")\n"
            + "aws_secret_access_key = \(values["S3_SECRET_KEY"] ?? "")\n"
    }

    /// Holds a process of the store, `proxy`, `account`, `container` or `object`, or lets it continue.
    package func hold(_ name: String, _ isHeld: Bool) throws { try signal(name, isHeld ? SIGSTOP : SIGCONT) }

    /// Ends a process of the store, for good.
    package func end(_ name: String) throws { try signal(name, SIGKILL) }

    private func signal(_ name: String, _ signal: Int32) throws {
        let pids = try String(contentsOfFile: "\(values["S3_DIR"] ?? "")/pids", encoding: .utf8)
        for line in pids.split(separator: "\n") {
            let halves = line.split(separator: " ")
            if halves[0] == name, let number = Int32(halves[1]) { kill(number, signal) }
        }
    }
}
