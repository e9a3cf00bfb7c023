import Testing
import WidgetTestSupport
import WidgetZip

@Suite struct `A limit` {
    private static func limits(_ change: (inout ZipLimits) -> Void) -> ZipLimits {
        var limits = ZipLimits()
        change(&limits)
        return limits
    }

    @Test func `A limit on the archive is checked before anything is read`() throws {
        let bytes = Forged.plain().build().bytes
        #expect(try Archive.refusal(bytes, limits: Self.limits { $0.archiveByteCount = bytes.count }) == nil)
        #expect(
            try Archive.refusal(bytes, limits: Self.limits { $0.archiveByteCount = bytes.count - 1 })
                == ZipError(.limitReached(.archiveByteCount, limit: bytes.count - 1)))
    }

    @Test func `A limit on the number of entries is checked before the directory is read`() throws {
        let (bytes, marks) = Forged.plain().build()
        #expect(try Archive.refusal(bytes, limits: Self.limits { $0.entryCount = 3 }) == nil)
        #expect(
            try Archive.refusal(bytes, limits: Self.limits { $0.entryCount = 2 })
                == ZipError(.limitReached(.entryCount, limit: 2), at: marks.end + 10))
    }

    @Test func `A limit on one entry is checked on the declared size`() throws {
        let (bytes, marks) = Forged.plain().build()
        let count = Forged.text.utf8.count
        #expect(try Archive.refusal(bytes, limits: Self.limits { $0.entryByteCount = count }) == nil)
        #expect(
            try Archive.refusal(bytes, limits: Self.limits { $0.entryByteCount = count - 1 })
                == ZipError(
                    .limitReached(.entryByteCount, limit: count - 1), entry: "w/a.txt", at: marks.central[1] + 24))
    }

    @Test func `A limit on all entries together is checked on the declared sizes`() throws {
        let (bytes, marks) = Forged.plain().build()
        let count = Forged.text.utf8.count + 10
        #expect(try Archive.refusal(bytes, limits: Self.limits { $0.expandedByteCount = count }) == nil)
        #expect(
            try Archive.refusal(bytes, limits: Self.limits { $0.expandedByteCount = count - 1 })
                == ZipError(.limitReached(.expandedByteCount, limit: count - 1), at: marks.central[2] + 24))
    }

    @Test func `A limit on the ratio stops a bomb and lets white space pass`() throws {
        func archive(_ byteCount: Int) -> (bytes: [UInt8], marks: ZipForge.Marks) {
            ZipForge([.init(Array("w/a".utf8), Array(repeating: 0x20, count: byteCount))]).build()
        }
        #expect(try Archive.refusal(archive(1 << 20).bytes) == nil)
        let (bytes, marks) = archive(1 << 20 + 1)
        #expect(
            try Archive.refusal(bytes)
                == ZipError(.limitReached(.ratio, limit: 200), entry: "w/a", at: marks.central[0] + 20))
        // Exactly at the ratio, and one byte over.
        var forge = ZipForge([.init(Array("w/a".utf8), Array(repeating: 0x20, count: 1_100_000))])
        let compressed = Int(forge.entries[0].central.compressedSize)
        let limits = Self.limits { $0.ratio = 1_100_000 / compressed + 1 }
        #expect(try Archive.refusal(forge.build().bytes, limits: limits) == nil)
        forge.entries[0].both(\.size, UInt32(limits.ratio * compressed))
        guard case .producesTooLittle = try Archive.refusal(forge.build().bytes, limits: limits)?.reason else {
            Issue.record("a size at the ratio is inflated")
            return
        }
        forge.entries[0].both(\.size, UInt32(limits.ratio * compressed + 1))
        #expect(
            try Archive.refusal(forge.build().bytes, limits: limits)?.reason
                == .limitReached(.ratio, limit: limits.ratio))
    }

    @Test func `A limit on names can be set`() throws {
        let bytes = Forged.plain().build().bytes
        #expect(
            try Archive.refusal(bytes, limits: Self.limits { $0.pathDepth = 1 })?.reason == .unsafeName(.tooDeep(1)))
        #expect(
            try Archive.refusal(bytes, limits: Self.limits { $0.pathByteCount = 6 })?.reason == .unsafeName(.tooLong(6))
        )
        #expect(
            try Archive.refusal(bytes, limits: Self.limits { $0.componentByteCount = 4 })?.reason
                == .unsafeName(.componentTooLong(4)))
    }

    @Test func `A limit is never an allocation: a declared size of gigabytes costs nothing`() throws {
        var forge = Forged.plain()
        forge.entries[1].both(\.size, 0xFFFF_FFF0)
        let limits = Self.limits {
            $0.entryByteCount = .max
            $0.expandedByteCount = .max
            $0.ratio = 1 << 30
        }
        guard case .producesTooLittle = try Archive.refusal(forge.build().bytes, limits: limits)?.reason else {
            Issue.record("read by windows and found short")
            return
        }
    }

    @Test func `A limit names itself in words`() {
        let names = ZipLimits.Name.self
        #expect(names.ratio.rawValue == "compression ratio")
        #expect(ZipLimits().value(of: .entryCount) == 4_096)
        #expect(ZipLimits().value(of: .expandedByteCount) == 256 << 20)
    }
}

@Suite struct `A refusal` {
    @Test func `A refusal names its reason, its entry and its place`() {
        let error = ZipError(.headersDisagree(.checksum), entry: "w/a.txt", at: 46)
        #expect(
            error.description
                == "the local header and the directory disagree on the checksum, in \"w/a.txt\", at offset 46")
        #expect(error.reason.code == "headers-disagree")
        #expect(
            ZipError.Reason.limitReached(.ratio, limit: 200).description
                == "the compression ratio is over the limit of 200")
        #expect(ZipError.Reason.unsafeName(.parentDirectory).code == "unsafe-name")
    }
}
