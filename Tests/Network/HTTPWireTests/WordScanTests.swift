import Glibc
import Testing
import WidgetBytes
import WidgetTestSupport

@testable import HTTPWire

/// Goal: looking at eight bytes finds what looking at each finds. Method: every byte at every place of
/// a word, among neighbours that could borrow from it or carry into it, and many random words.
@Suite struct `Looking at eight bytes at a time` {
    /// Bytes around `byte` at `place`, with every kind of neighbour.
    func surroundings(_ byte: UInt8, _ place: Int) -> [[UInt8]] {
        ([0x61, 0x2D, 0x20, 0x09, 0x7F, 0x80, 0xFF, 0x00, 0x1F, 0x40, 0x5B, 0x7B] as [UInt8]).map { neighbour in
            var bytes = [UInt8](repeating: neighbour, count: 11)
            bytes[place] = byte
            return bytes
        }
    }

    func check(_ bytes: [UInt8]) -> Bool {
        let span = bytes.span
        for start in 0...bytes.count {
            let tail = bytes[start...]
            let token = tail.firstIndex { !ByteClass.isToken($0) } ?? bytes.count
            let value = tail.firstIndex { !ByteClass.isFieldValue($0) } ?? bytes.count
            guard span.endOfToken(from: start) == token, span.endOfFieldValue(from: start) == value else {
                return false
            }
            guard start + 8 <= bytes.count else { continue }
            var word: UInt64 = 0
            for index in (start..<(start + 8)).reversed() {
                word = word << 8 | UInt64(ByteClass.lowercased(bytes[index]))
            }
            guard ByteClass.lowercased(span.word(at: start)) == word else { return false }
        }
        return true
    }

    @Test func `Looking at eight bytes at a time finds the same as looking at each`() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<11 {
                for bytes in surroundings(byte, place) {
                    guard check(bytes) else {
                        Issue.record("differs for \(bytes)")
                        return
                    }
                }
            }
        }
    }

    @Test func `Looking at eight bytes at a time finds the same in random bytes`() {
        var generator = SeededGenerator(seed: 9112)
        for _ in 0..<20_000 {
            let alphabet: ClosedRange<UInt8> = Bool.random(using: &generator) ? 0...255 : 0x28...0x7F
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                UInt8.random(in: alphabet, using: &generator)
            }
            guard check(bytes) else {
                Issue.record("differs for \(bytes)")
                return
            }
        }
    }

    @Test func `The classes of bytes are those of RFC 9110 and RFC 3986`() {
        let token = "!#$%&'*+-.^_`|~"
        for byte in UInt8.min...UInt8.max {
            let character = Character(UnicodeScalar(byte))
            let isAlphanumeric = byte < 0x80 && (character.isLetter || character.isNumber)
            #expect(ByteClass.isToken(byte) == (isAlphanumeric || token.contains(character)))
            let isVisible = byte > 0x20 && byte < 0x7F
            #expect(ByteClass.isPath(byte) == (isVisible && !"\"#<>\\^`{}".contains(character)))
            #expect(ByteClass.isQuery(byte) == (isVisible && !"\"#<>\\".contains(character)))
            #expect(ByteClass.isHostName(byte) == (isAlphanumeric || "-._~!$&'()*+;=".contains(character)))
        }
    }
}

/// Bytes that end where the process's memory ends: reading one too many stops the test.
@safe
struct GuardedBytes: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let length: Int
    private let count: Int

    init(_ bytes: [UInt8]) throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        length = (bytes.count + page - 1) / page * page + page
        count = bytes.count
        guard let mapped = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe mapped != MAP_FAILED, unsafe mprotect(mapped + (length - page), page, PROT_NONE) == 0
        else { throw MappingError() }
        unsafe base = unsafe mapped
        let start = unsafe mapped + (length - page - bytes.count)
        unsafe start.copyMemory(from: bytes, byteCount: bytes.count)
        offset = length - page - bytes.count
    }

    private let offset: Int

    deinit {
        unsafe munmap(base, length)
    }

    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // The memory was mapped and filled in `init` and lives until `deinit`.
        unsafe body(UnsafeRawBufferPointer(start: base + offset, count: count).assumingMemoryBound(to: UInt8.self).span)
    }

    struct MappingError: Error {}
}
