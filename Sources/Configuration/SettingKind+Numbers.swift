extension SettingKind where Value == Int {
    static func count(_ range: ClosedRange<Int>) -> SettingKind {
        SettingKind(
            name: "number", range: "\(range.lowerBound) … \(range.upperBound)",
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { found in found.wholeNumber.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil } },
            show: { String($0) },
            literal: { String($0) })
    }

    /// Bytes, as a number or like `64MiB`.
    static func size(_ range: ClosedRange<Int>) -> SettingKind {
        let (least, most) = (SizeText.text(range.lowerBound), SizeText.text(range.upperBound))
        return SettingKind(
            name: "size", range: "\(least) … \(most)",
            expectation: "bytes from \(least) to \(most), written like 4096, 8KiB, 64MiB or 1GiB",
            read: { found in
                let size = found.wholeNumber.flatMap { Int(exactly: $0) } ?? found.characters.flatMap(SizeText.parse)
                return size.flatMap { range.contains($0) ? $0 : nil }
            },
            show: SizeText.text,
            literal: { size in
                let text = SizeText.text(size)
                return text == String(size) ? text : SettingText.quoted(text)
            })
    }
}

extension SettingKind where Value == Duration {
    /// Seconds, as a number or like `500ms`, `10s`, `5m`, `2h`, `30d`.
    static func duration(_ range: ClosedRange<Duration>) -> SettingKind {
        let (least, most) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
        return SettingKind(
            name: "duration", range: "\(least) … \(most)",
            expectation: "a time from \(least) to \(most), written like 10 (seconds), 500ms, 10s, 5m, 2h or 30d",
            read: { found in
                let duration: Duration? =
                    switch found {
                    case .integer(let seconds): DurationText.seconds(Double(seconds))
                    case .number(let seconds): DurationText.seconds(seconds)
                    case .text(let text), .string(let text): DurationText.parse(text)
                    default: nil
                    }
                return duration.flatMap { range.contains($0) ? $0 : nil }
            },
            show: DurationText.text,
            literal: { SettingText.quoted(DurationText.text($0)) })
    }
}
