import Foundation
import Testing
import WidgetTestSupport

/// Goal: a developer without a C library learns what to install. Method: the headers are compiled where no library is, and the
/// line is compared with what `.ci/setup` installs.
@Suite struct `A missing C library` {
    private static let headers = [
        "Sources/C/CWidgetCrypto/shim.h", "Sources/C/CWidgetCurl/include/CCurl.h", "Sources/C/CWidgetDeflate/shim.h",
        "Sources/C/CWidgetSQLite/shim.h", "Sources/C/CWidgetZlib/shim.h", "Sources/C/CWidgetPostgres/shim.h",
    ]

    @Test(arguments: headers) func `Its absence is an error that has the one line to install all of them`(
        header: String
    ) throws {
        let process = ChildProcess()
        process.executableURL = URL(filePath: try #require(Tool.path(of: "clang")))
        process.arguments = ["-E", "-nostdinc", "-x", "c", "\(Corpus.repositoryRoot)/\(header)"]
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = .pipe(output)
        process.standardError = .pipe(error)
        process.standardInput = .nothing
        try process.run()
        let texts = BuiltProgram.readToEnds([output, error].map(\.fileHandleForReading.fileDescriptor))
        process.waitUntilExit()
        let text = String(decoding: texts[1], as: UTF8.self)
        #expect(process.terminationStatus != 0)
        let packages =
            Repository.text(".ci/setup").firstMatch(of: /build\) echo (.*) ;;/)?.1.split(separator: " ") ?? []
        // Replicas alone need libpq, and hosts do not.
        let isHosts = !header.contains("CWidgetPostgres")
        let wanted = packages.filter { $0 != "pkg-config" && !(isHosts && $0 == "libpq-dev") }
        let line = "apt-get install " + wanted.joined(separator: " ")
        #expect(packages.count == 7 && text.contains("is missing: \(line)"), "\(text)")
        #expect(Repository.text("docs/hosting.md").contains("\n\(line)\n") == isHosts)
    }
}
