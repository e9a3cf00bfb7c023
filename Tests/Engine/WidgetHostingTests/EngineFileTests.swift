import Foundation
import Testing
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

@testable import WidgetEngine
@testable import WidgetHosting

/// Goal: a program uses the engine of the same sources, and no other. Method: files with and without the section that says so,
/// at the places where programs look.
@Suite struct `The file of the engine` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "engine-\(UUID().uuidString)").path

    private static func module(_ revision: String) -> [UInt8] {
        let text = Array("widgetd{\"version\": \"1\", \"revision\": \"\(revision)\"}".utf8)
        let content = [7] + text
        return [0x00, 0x61, 0x73, 0x6D, 0x01, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, UInt8(content.count)] + content
    }

    private func write(_ bytes: [UInt8], to path: String) throws -> String {
        let whole = "\(folder)/\(path)"
        try FileWork.makeFolder(String(whole[..<(whole.lastIndex(of: "/") ?? whole.endIndex)]))
        try FileWork.write(bytes, to: whole)
        return whole
    }

    @Test func `It is found in share beside bin, and in wasm beside the folder of a build`() throws {
        defer { try? FileWork.remove(folder) }
        let ours = Self.module(EngineRevision.text)
        for (program, place) in [
            ("usr/bin/widgetd", "usr/share/widgetd/engine.wasm"),
            ("a/.build/release/widgetd", "a/.build/wasm/engine.wasm"),
            ("b/.build/x86_64-linux/debug/widget", "b/.build/wasm/engine.wasm"),
        ] {
            let path = try write([], to: program)
            guard case .missing = EngineFile.find(named: nil, beside: path) else {
                Issue.record("nothing is there yet")
                continue
            }
            let file = try write(ours, to: place)
            let found = try #require(EngineFile.find(named: nil, beside: path).file)
            #expect(found.path == resolvedPath(file) && found.version == "1" && found.digest == Digest.sha256(ours))
        }
    }

    @Test func `One of another revision, and another file, is not used, and the reason says why`() throws {
        defer { try? FileWork.remove(folder) }
        let program = try write([], to: "bin/widgetd")
        for (bytes, word) in [
            (Self.module("0123456789abcdef"), "0123456789abcdef"), ([1, 2, 3], "does not say"),
            (Array(Self.module(EngineRevision.text).dropLast(3)), "does not say"),
            ([0x00, 0x61, 0x73, 0x6D, 0x01, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "does not say"),
        ] {
            let path = try write(bytes, to: "share/widgetd/engine.wasm")
            let finding = EngineFile.find(named: nil, beside: program)
            #expect(finding.file == nil && "\(finding)".contains(word) && "\(finding)".contains(resolvedPath(path)))
        }
        let named = EngineFile.find(named: "\(folder)/none.wasm", beside: program)
        #expect("\(named)".contains("the file is missing"))
    }
}
