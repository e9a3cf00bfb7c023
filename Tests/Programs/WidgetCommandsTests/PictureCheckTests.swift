import Foundation
import Testing
import WidgetDeflate
import WidgetTestSupport

@testable import WidgetCommands

/// Goal: a picture of a browser is taken as a whole or refused. Method: a picture, cut and changed at every byte.
@Suite struct `A picture that a browser has drawn` {
    @Test func `A picture is whole, of its size, or has a fault`() {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            func word(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
            let named = Array(name.utf8) + content
            return word(UInt32(content.count)) + named + word(Checksum.of(named))
        }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let head = chunk("IHDR", [0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0])
        let whole = signature + head + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
        #expect(PictureCheck.fault(of: whole, width: 3, height: 2) == nil)
        #expect(PictureCheck.fault(of: whole, width: 2, height: 3) == "it is 3x2 pixels, and not 2x3")
        for count in 0..<whole.count {
            #expect(PictureCheck.fault(of: Array(whole.prefix(count)), width: 3, height: 2) != nil)
            var damaged = whole
            damaged[count] ^= 0x10
            #expect(PictureCheck.fault(of: damaged, width: 3, height: 2) != nil)
        }
        #expect(PictureCheck.fault(of: whole + [0], width: 3, height: 2) == "something follows its end")
        let empty = signature + head + chunk("IEND", [])
        #expect(PictureCheck.fault(of: empty, width: 3, height: 2) == "it has no pixels")
        #expect(PictureCheck.fault(of: signature + chunk("IEND", []), width: 3, height: 2) == "it has no header")
    }
}

/// Goal: no browser runs on. Method: a program that is started as a browser, and waits with a child.
@Suite struct `A browser that draws nothing` {
    @Test func `A browser that hangs is ended with its children when its time is over`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "browser").path
        let script = "#!/bin/sh\necho $$ > hung; sleep 1000 & echo $! >> hung; wait\n"
        try ExecutableFile.write(script, to: program)
        var browser = HeadlessBrowser(path: program)
        browser.patience = .seconds(6)
        let shape = PictureShape(width: 10, height: 10, scale: 1)
        let failure = #expect(throws: CommandFailure.self) {
            try browser.draw(["/none"], shape, in: folder.path) { _, _ in Issue.record("there is a picture") }
        }
        #expect(failure?.sentence.hasSuffix("has drawn nothing in 6 s") == true)
        let text = try String(contentsOf: folder.appending(path: "hung"), encoding: .utf8)
        let numbers = text.split(separator: "\n").compactMap { pid_t($0) }
        #expect(numbers.count == 2)
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline, numbers.contains(where: { kill($0, 0) == 0 }) { sched_yield() }
        #expect(!numbers.contains { kill($0, 0) == 0 })
    }

    @Test func `A browser that sends without an end has drawn nothing when its time is over`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "browser").path
        try ExecutableFile.write("#!/bin/sh\nwhile :; do printf x >&4; done\n", to: program)
        var browser = HeadlessBrowser(path: program)
        browser.patience = .seconds(1)
        // Messages of such pictures may be long, so that the bytes of a second are not too many.
        let shape = PictureShape(width: 3_000, height: 1_000, scale: 1)
        let failure = #expect(throws: CommandFailure.self) {
            try browser.draw(["/none"], shape, in: folder.path) { _, _ in Issue.record("there is a picture") }
        }
        #expect(failure?.sentence.hasSuffix("has drawn nothing in 1 s") == true, "\(failure?.sentence ?? "")")
    }
}
