import HTTPWire
import Testing

@Suite struct `A Range field` {
    func ranges(_ value: String, size: Int) -> ByteRanges {
        let bytes = value.latin1
        return ByteRanges(bytes.span, 0..<bytes.count, size: size)
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=0-100", 0..<100), ("bytes=99-99", 99..<100),
        ("bytes=5-", 5..<100), ("bytes=0-", 0..<100), ("bytes=-1", 99..<100), ("bytes=-100", 0..<100),
        ("bytes=-101", 0..<100), ("BYTES=1-2", 1..<3), ("bytes= 1-2 ", 1..<3), ("bytes=,1-2,,", 1..<3),
        ("bytes=0-99999999999999999999999999", 0..<100), ("bytes=-99999999999999999999999999", 0..<100),
        ("bytes=0-9223372036854775807", 0..<100), ("bytes=007-008", 7..<9), ("bytes=100-,3-4", 3..<5),
    ])
    func `asks for one stretch`(value: String, range: Range<Int>) {
        #expect(ranges(value, size: 100) == .one(range))
    }

    @Test(arguments: [
        ("bytes=0-1,3-4", [0..<2, 3..<5]), ("bytes=-1, 0-0", [99..<100, 0..<1]), ("bytes=0-9,5-14", [0..<10, 5..<15]),
        ("bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14", (0..<8).map { $0 * 2..<$0 * 2 + 1 }),
        ("bytes=0-49,50-99", [0..<50, 50..<100]),
    ])
    func `asks for several stretches in its own order`(value: String, expected: [Range<Int>]) {
        #expect(ranges(value, size: 100) == .several(expected))
    }

    @Test(arguments: [
        "bytes=100-", "bytes=100-200", "bytes=-0", "bytes=-00", "bytes=99999999999999999999-",
        "bytes=9223372036854775807-9223372036854775807", "bytes=99999999999999999999-99999999999999999999",
        "bytes=100-,200-", "bytes=-0,100-100",
    ])
    func `cannot be satisfied`(value: String) {
        #expect(ranges(value, size: 100) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes= ", "bytes=,", "bytes=-", "bytes=--1", "bytes=1", "bytes=a-b", "bytes=1-0",
        "bytes=+1-2", "bytes=1-+2", "bytes=1 -2", "bytes=1- 2", "bytes=0x1-2", "bytes=1-2-3", "bytes=1_0-20",
        "bytes 1-2", "bytes:1-2", "byte=1-2", "items=1-2", "xbytes=1-2", "bytes==1-2", "bytes=1-2;3-4", "bytes=\"1-2\"",
        "bytes=0-1,x", "bytes=0-1,1-0", "bytes=1.0-2", "bytes=\u{A0}1-2", "bytes=1-2\0", "bytes=9-8,0-1", "bytes=*",
    ])
    func `that means nothing gets the whole`(value: String) {
        #expect(ranges(value, size: 100) == .whole)
    }

    @Test(arguments: [
        "bytes=0-,0-", "bytes=0-99,0-0", "bytes=0-10,1-11,2-12", "bytes=0-0,0-0,0-0",
        "bytes=0-,0-,0-,0-,0-,0-,0-,0-", "bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16",
        "bytes=\(String(repeating: "0-0,", count: 2_000))",
    ])
    func `that asks for too much gets the whole`(value: String) {
        #expect(ranges(value, size: 100) == .whole)
    }

    @Test func `counts specifiers, not stretches, against its limit`() {
        let beyond = String(repeating: "100-,", count: ByteRanges.limit)
        #expect(ranges("bytes=\(beyond)", size: 100) == .unsatisfiable)
        #expect(ranges("bytes=\(beyond)0-0", size: 100) == .whole)
    }

    @Test func `asks for nothing of an empty representation`() {
        #expect(ranges("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ranges("bytes=0-0", size: 0) == .unsatisfiable)
        #expect(ranges("bytes=-0", size: 0) == .unsatisfiable)
        #expect(ranges("bytes=-5", size: 0) == .whole)
    }

    @Test func `of the largest size does not overflow`() {
        #expect(ranges("bytes=-1", size: .max) == .one(Int.max - 1..<Int.max))
        #expect(ranges("bytes=0-", size: .max) == .one(0..<Int.max))
        #expect(ranges("bytes=0-9223372036854775806", size: .max) == .one(0..<Int.max))
        #expect(ranges("bytes=0-,0-,0-,0-,0-,0-,0-,0-", size: .max) == .whole)
    }

    @Test func `is read where it stands in a head`() {
        let text = get("Range: bytes=1-2")
        let value = head(text).value(.range) ?? 0..<0
        let bytes = text.latin1
        let ranges = ByteRanges(bytes.span, value, size: 9)
        #expect(ranges == .one(1..<3))
    }
}
