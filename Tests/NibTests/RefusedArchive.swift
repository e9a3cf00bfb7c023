import Nib
import Testing

private typealias Forge = ArchiveForge

/// An archive with one fault, and how it is refused.
struct RefusedArchive: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var reason: NibError.Reason

    init(_ name: String, _ forge: ArchiveForge, _ reason: NibError.Reason) {
        testDescription = name
        bytes = forge.bytes
        self.reason = reason
    }

    static let all = [
        RefusedArchive(
            "a format of the future", Forge.everyType.with { $0.formatVersion = 2 }, .unknownFormatVersion(2)),
        RefusedArchive(
            "a coder of the future", Forge.everyType.with { $0.coderVersion = 11 }, .unknownCoderVersion(11)),
        RefusedArchive("no objects", Forge.everyType.with { $0.counts[0] = 0 }, .noObjects),
        RefusedArchive("an offset in the header", Forge.everyType.with { $0.offsets[1] = 49 }, .tableOutOfRange(.keys)),
        RefusedArchive(
            "an offset behind the end", Forge.everyType.with { $0.offsets[2] = 9999 }, .tableOutOfRange(.values)),
        RefusedArchive(
            "a count beyond the file", Forge.everyType.with { $0.counts[3] = 200 }, .tableOutOfRange(.classes)),
        RefusedArchive(
            "a count beyond the limit", Forge.everyType.with { $0.counts[2] = .max },
            .limitReached(.valueCount, limit: 500_000)),
        RefusedArchive(
            "two tables in one place",
            Forge.everyType.with {
                $0.offsets[3] = 56; $0.tables[3] = []
            }, .classOutOfRange(0)),
        RefusedArchive(
            "a class that is not there", Forge.everyType.with { $0.tables[0][1] = Forge.object(2, 11, 0) },
            .classOutOfRange(2)),
        RefusedArchive(
            "a fallback that is not there",
            Forge.everyType.with { $0.tables[3][1] = Forge.named("UIColor", fallbacks: [2]) }, .classOutOfRange(2)),
        RefusedArchive(
            "a negative fallback",
            Forge.everyType.with { $0.tables[3][1] = Forge.named("UIColor", fallbacks: [.max]) }, .classOutOfRange(-1)),
        RefusedArchive(
            "values beyond the table", Forge.everyType.with { $0.tables[0][0] = Forge.object(0, 1, 11) },
            .valuesOutOfRange),
        RefusedArchive(
            "values of two objects", Forge.everyType.with { $0.tables[0][1] = Forge.object(1, 10, 1) }, .valuesOverlap),
        RefusedArchive(
            "a key that is not there", Forge.everyType.with { $0.tables[2][4] = Forge.value(3, 4, []) },
            .keyOutOfRange(3)),
        RefusedArchive(
            "an object that is not there",
            Forge.everyType.with { $0.tables[2][10] = Forge.value(0, 10, [2, 0, 0, 0]) }, .objectOutOfRange(2)),
        RefusedArchive(
            "an unknown type", Forge.everyType.with { $0.tables[2][4] = Forge.value(0, 11, []) }, .unknownValueType(11)),
        RefusedArchive(
            "a number of 32 bits",
            Forge.everyType.with { $0.tables[2][8] = [0x80, 8, 0x7F, 0x7F, 0x7F, 0x7F, 0x8F] }, .numberTooLarge),
        RefusedArchive(
            "a number without an end",
            Forge.everyType.with { $0.tables[2][8] = [0x80, 8] + [UInt8](repeating: 0, count: 64) }, .numberTooLarge),
        RefusedArchive(
            "a key that is no text", Forge.everyType.with { $0.tables[1][0] = [0x81, 0xFF] }, .invalidUTF8),
    ]
}
