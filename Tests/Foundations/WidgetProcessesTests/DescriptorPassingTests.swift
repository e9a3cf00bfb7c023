import Foundation
import Testing
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

@testable import WidgetProcesses

/// Goal: a process that may open nothing gets one descriptor at a time, whose file never changes. Method: both ends in
/// this process, and a confined child as the other end.
@Suite struct `A descriptor for another process` {
    private let deadline = ContinuousClock.now + .seconds(60)

    private func pair() throws -> (StreamSocket, StreamSocket) {
        let ends = try numbers()
        return (StreamSocket(owning: ends[0]), StreamSocket(owning: ends[1]))
    }

    private func numbers() throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return ends
    }

    private func receives(_ socket: StreamSocket, until deadline: ContinuousClock.Instant) throws(FileError) -> Bool {
        let file = try socket.receiveDescriptor(until: deadline)
        return file != nil
    }

    @Test func `arrives between the bytes before it and after it, and closes when a program is run`() throws {
        let (ours, theirs) = try pair()
        let file = try FileDescriptor.sealed([1, 2, 3], subject: "three bytes")
        #expect(ours.write([9, 9], until: deadline))
        let isSent = ours.send(file, until: deadline)
        #expect(isSent)
        #expect(ours.write([8], until: deadline))
        #expect(theirs.read(exactly: 2, until: deadline) == [9, 9])
        guard let received = try theirs.receiveDescriptor(until: deadline) else {
            Issue.record("no descriptor came")
            return
        }
        #expect(try received.read(at: 0, count: 10) == [1, 2, 3])
        #expect(fcntl(received.number, F_GETFD) & FD_CLOEXEC != 0)
        let numbers = [received.number, file.number]
        #expect(numbers[0] != numbers[1])
        #expect(theirs.read(exactly: 1, until: deadline) == [8])
    }

    @Test func `that does not come is waited for until the moment, and other bytes are an error`() throws {
        let (ours, theirs) = try pair()
        #expect(try !receives(theirs, until: .now))
        #expect(theirs.read(exactly: 1, until: .now) == nil)
        #expect(ours.write([0x64], until: deadline))
        #expect(throws: FileError(.read, subject: "a channel", code: EBADMSG)) {
            try receives(theirs, until: deadline)
        }
        ours.close()
        #expect(try !receives(theirs, until: deadline))
        #expect(theirs.read(exactly: 1, until: deadline) == nil)
        let file = try FileDescriptor.sealed([1], subject: "a byte")
        let isSent = ours.send(file, until: .now + .milliseconds(20))
        #expect(!isSent)
    }

    @Test(arguments: [2, 16, 17, 40]) func `is refused with all others when several come`(count: Int) throws {
        let ends = try numbers()
        let theirs = StreamSocket(owning: ends[1])
        defer { close(ends[0]) }
        let before = try openDescriptors()
        try sendMany(count, over: ends[0])
        #expect(throws: FileError(.read, subject: "a channel", code: EBADMSG)) {
            try receives(theirs, until: deadline)
        }
        #expect(try openDescriptors() == before)
    }

    @Test(.enabled(if: ConfinedChild.isPossible, "needs the right to confine"))
    func `is read by a confined child, which can change neither it nor another file`() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let sum = bytes.reduce(0) { $0 + Int($1) }
        let path = FileManager.default.temporaryDirectory.appending(path: "passed-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for way in ConfinedChild.ways {
            let child = try ConfinedChild(way)
            let file = try FileDescriptor.sealed(bytes, subject: "many bytes")
            child.begin("descriptor")
            let isSent = child.send(file)
            #expect(isSent)
            #expect(child.answer() == "done 100000 \(sum) sealed unchanged")
            let other = try FileDescriptor.creating(path)
            child.begin("write-received")
            let isOtherSent = child.send(other)
            #expect(isOtherSent)
            #expect(child.answer() == nil)
            let end = child.end()
            #expect(end == .signal(SIGXFSZ))
            #expect(end?.description == "it wrote to a file, which is forbidden")
            #expect(try other.status().byteCount == 0)
        }
    }

    private func openDescriptors() throws -> Int {
        // Other tests of the process open and close descriptors too; sockets and pipes of these numbers are counted.
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))?
                .contains("many-descriptors") == true
        }.count
    }

    /// Sends a number of descriptors of one file with one byte.
    private func sendMany(_ count: Int, over socket: Int32) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "many-descriptors-\(UUID().uuidString)").path
        let file = try FileDescriptor.creating(path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let head = MemoryLayout<cmsghdr>.size
        var control = [UInt8](repeating: 0, count: head + (count * 4 + 7) / 8 * 8)
        var byte: UInt8 = 0x64
        let sent = unsafe control.withUnsafeMutableBytes { room -> Int in
            unsafe room.storeBytes(of: head + count * 4, as: Int.self)
            unsafe room.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            unsafe room.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
            for index in 0..<count {
                unsafe room.storeBytes(of: file.number, toByteOffset: head + index * 4, as: Int32.self)
            }
            return unsafe withUnsafeMutablePointer(to: &byte) { byte in
                var part = unsafe iovec(iov_base: byte, iov_len: 1)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr()
                    unsafe (message.msg_iov, message.msg_iovlen) = (part, 1)
                    unsafe (message.msg_control, message.msg_controllen) = (room.baseAddress, room.count)
                    return unsafe sendmsg(socket, &message, 0)
                }
            }
        }
        try #require(sent == 1)
    }
}

/// Goal: what a confinement says survives its way to another process, and nothing else is taken for one. Method: texts.
@Suite struct `The text of a confinement` {
    private let confinement = Confinement(
        Dictionary(
            uniqueKeysWithValues: Confinement.Part.allCases.map { part in
                switch part {
                case .landlock: (part, .on(version: 7))
                case .seccomp: (part, .off(reason: "the kernel does not have it"))
                default: (part, .on(version: nil))
                }
            }))

    @Test func `is read as what was written`() throws {
        #expect(Confinement(text: confinement.text) == confinement)
        #expect(confinement.text.hasSuffix("landlock=on 7;seccomp=off the kernel does not have it"))
        #expect(confinement.landlockVersion == 7 && confinement.isEnough)
        #expect(confinement.lines.contains("Landlock: on, version 7"))
        #expect(confinement.lines.contains("filter of calls: off, since the kernel does not have it"))
        let odd = Confinement([.limits: .off(reason: "so;\u{1B}[1m\u{E4}" + String(repeating: "x", count: 900))])
        #expect(!odd.text.contains("\u{1B}") && odd.text.contains("limits=off so??[1m??x"))
        #expect(Confinement(text: odd.text) != nil)
    }

    @Test func `is refused if it is anything else`() {
        let text = confinement.text
        for other in [
            "", "limits=on", text + ";limits=on", text + ";", text.replacing("=on 7", with: "=on 07"),
            text.replacing("=on 7", with: "=on -7"), text.replacing("=on 7", with: "=on 99999999999999999999"),
            text.replacing("=on 7", with: "=maybe"), text.replacing("=on 7", with: ""),
            text.replacing("landlock", with: "Landlock"), text.replacing("the kernel", with: "the\u{1B}kernel"),
            text.replacing("off the kernel does not have it", with: "off"),
            text.replacing("off the kernel does not have it", with: "off "),
            text.replacing("the kernel", with: String(repeating: "x", count: 3_000)),
        ] {
            #expect(Confinement(text: other) == nil, "\(other)")
        }
    }
}
