import Configuration
import Foundation
import Testing

@Suite struct `Reading a settings file` {
    private func failure(_ path: String, byteLimit: Int = 100) -> FileFailure? {
        do throws(FileFailure) {
            _ = try BoundedFile.read(path, byteLimit: byteLimit)
            return nil
        } catch {
            return error
        }
    }

    @Test func `gives its bytes up to the limit and none past it`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: url)
        #expect(try BoundedFile.read(url.path, byteLimit: 100_000) == bytes)
        #expect(failure(url.path, byteLimit: 99_999) == .tooLarge(byteLimit: 99_999))
        try Data().write(to: url)
        #expect(try BoundedFile.read(url.path, byteLimit: 0) == [])
    }

    @Test func `is refused for one stated reason`() {
        #expect(failure("/nonexistent/file") == .notFound)
        #expect(failure("") == .notFound)
        #expect(failure("/") == .isDirectory)
        #expect(failure("/dev/zero") == .tooLarge(byteLimit: 100))
    }
}
