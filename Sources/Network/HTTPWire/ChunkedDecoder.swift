/// Takes a chunked body apart (RFC 9112 §7.1), one stretch of data at a time, from bytes cut anywhere.
///
/// Extensions are checked and dropped, trailers are checked and ignored, and both are bounded: neither
/// can be used to make the server read without end.
package struct ChunkedDecoder: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        /// Body bytes, as positions in the input.
        case data(Range<Int>)
        /// All of the input has been used.
        case needsMore
        /// The body is over; the input continues with the next message.
        case end
        case refused(Malformation)
    }

    /// The most bytes of one chunk's extensions, and of all of them together.
    static let extensionLimit = 256
    static let extensionsLimit = 16_384
    /// The most bytes and lines of the trailer section.
    static let trailerLimit = 8_192
    static let trailerFieldLimit = 100

    private enum State: Equatable {
        case size(digits: UInt8)
        case spaceBeforeExtension
        case extensionStart
        case extensionName
        case spaceAfterName
        case extensionValueStart
        case extensionValue
        case quotedValue
        case quotedPair
        case quotedEnd
        case spaceAfterValue
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        case trailerStart
        case trailerName
        case trailerValue
        case trailerLineFeed
        case finalLineFeed
        case done
        case refused(Malformation)
    }

    private var state: State = .size(digits: 0)
    private var remaining = 0
    private var extensionBytes = 0
    private var allExtensionBytes = 0
    private var trailerBytes = 0
    private var trailerFields = 0

    package init() {}

    /// Continues at `position`, and moves it past the bytes used.
    ///
    /// After `.end` and `.refused` every call returns the same step and uses no further byte.
    package mutating func next(_ bytes: Span<UInt8>, _ position: inout Int) -> Step {
        if state == .done { return .end }
        if case .refused(let malformation) = state { return .refused(malformation) }
        while position < bytes.count {
            if state == .data {
                let count = min(remaining, bytes.count &- position)
                let range = position..<(position &+ count)
                position &+= count
                remaining &-= count
                if remaining == 0 { state = .dataReturn }
                return .data(range)
            }
            if let malformation = take(bytes[position]) {
                state = .refused(malformation)
                return .refused(malformation)
            }
            position &+= 1
            if state == .done { return .end }
        }
        return .needsMore
    }

    /// One byte of anything that is not data.
    private mutating func take(_ byte: UInt8) -> Malformation? {
        switch state {
        case .size(let digits): return takeSize(byte, digits: digits)
        case .spaceBeforeExtension, .extensionStart, .extensionName, .spaceAfterName, .extensionValueStart,
            .extensionValue, .quotedValue, .quotedPair, .quotedEnd, .spaceAfterValue:
            return takeExtension(byte)
        case .sizeLineFeed:
            guard byte == 0x0A else { return .bareCarriageReturn }
            state = remaining == 0 ? .trailerStart : .data
        case .dataReturn:
            guard byte == 0x0D else { return byte == 0x0A ? .bareLineFeed : .chunkEnd }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == 0x0A else { return .bareCarriageReturn }
            state = .size(digits: 0)
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed:
            return takeTrailer(byte)
        case .finalLineFeed:
            guard byte == 0x0A else { return .bareCarriageReturn }
            state = .done
        case .data, .done, .refused:
            break
        }
        return nil
    }

    private mutating func takeSize(_ byte: UInt8, digits: UInt8) -> Malformation? {
        if let value = hexValue(byte) {
            // Fifteen digits cannot overflow; no body of ours comes near.
            guard digits < 15 else { return .chunkSize }
            remaining = (digits == 0 ? 0 : remaining) << 4 | value
            state = .size(digits: digits &+ 1)
            return nil
        }
        guard digits > 0 else { return byte == 0x0A ? .bareLineFeed : .chunkSize }
        switch byte {
        case 0x0D: state = .sizeLineFeed
        case 0x0A: return .bareLineFeed
        case UInt8(ascii: ";"), 0x20, 0x09:
            extensionBytes = 0
            state = .spaceBeforeExtension
            return takeExtension(byte)
        default: return .chunkSize
        }
        return nil
    }

    /// `*( BWS ";" BWS name [ BWS "=" BWS value ] )`, RFC 9112 §7.1.1.
    private mutating func takeExtension(_ byte: UInt8) -> Malformation? {
        // The line's end is not part of the extensions.
        if byte != 0x0D {
            extensionBytes &+= 1
            allExtensionBytes &+= 1
        }
        guard extensionBytes <= ChunkedDecoder.extensionLimit, allExtensionBytes <= ChunkedDecoder.extensionsLimit
        else {
            return .chunkExtension
        }
        let isSpace = ByteClass.isSpace(byte)
        switch (state, byte) {
        case (.spaceBeforeExtension, _) where isSpace, (.extensionStart, _) where isSpace,
            (.spaceAfterName, _) where isSpace, (.extensionValueStart, _) where isSpace,
            (.spaceAfterValue, _) where isSpace:
            break
        case (.spaceBeforeExtension, UInt8(ascii: ";")), (.extensionName, UInt8(ascii: ";")),
            (.spaceAfterName, UInt8(ascii: ";")), (.extensionValue, UInt8(ascii: ";")),
            (.quotedEnd, UInt8(ascii: ";")), (.spaceAfterValue, UInt8(ascii: ";")):
            state = .extensionStart
        case (.extensionName, UInt8(ascii: "=")), (.spaceAfterName, UInt8(ascii: "=")):
            state = .extensionValueStart
        // White space right before the line's end belongs to no rule, and parsers disagree about it.
        case (.extensionName, 0x0D), (.extensionValue, 0x0D), (.quotedEnd, 0x0D):
            state = .sizeLineFeed
        case (.extensionName, _) where isSpace: state = .spaceAfterName
        case (.extensionValue, _) where isSpace, (.quotedEnd, _) where isSpace: state = .spaceAfterValue
        case (.extensionStart, _) where ByteClass.isToken(byte), (.extensionName, _) where ByteClass.isToken(byte):
            state = .extensionName
        case (.extensionValueStart, UInt8(ascii: "\"")): state = .quotedValue
        case (.extensionValueStart, _) where ByteClass.isToken(byte),
            (.extensionValue, _) where ByteClass.isToken(byte):
            state = .extensionValue
        case (.quotedValue, UInt8(ascii: "\"")): state = .quotedEnd
        case (.quotedValue, UInt8(ascii: "\\")): state = .quotedPair
        case (.quotedValue, _) where ByteClass.isFieldValue(byte): break
        case (.quotedPair, _) where ByteClass.isFieldValue(byte): state = .quotedValue
        default: return byte == 0x0A ? .bareLineFeed : .chunkExtension
        }
        return nil
    }

    /// Trailer fields have the form of header fields (RFC 9112 §7.1.2); what they say is ignored.
    private mutating func takeTrailer(_ byte: UInt8) -> Malformation? {
        trailerBytes &+= 1
        guard trailerBytes <= ChunkedDecoder.trailerLimit else { return .trailer }
        switch state {
        case .trailerStart where byte == 0x0D:
            state = .finalLineFeed
        case .trailerStart where ByteClass.isToken(byte):
            trailerFields &+= 1
            guard trailerFields <= ChunkedDecoder.trailerFieldLimit else { return .trailer }
            state = .trailerName
        case .trailerName where ByteClass.isToken(byte):
            break
        case .trailerName where byte == UInt8(ascii: ":"):
            state = .trailerValue
        case .trailerValue where ByteClass.isFieldValue(byte):
            break
        case .trailerValue where byte == 0x0D:
            state = .trailerLineFeed
        case .trailerLineFeed where byte == 0x0A:
            state = .trailerStart
        case .trailerLineFeed:
            return .bareCarriageReturn
        default:
            return byte == 0x0A ? .bareLineFeed : .trailer
        }
        return nil
    }

    private func hexValue(_ byte: UInt8) -> Int? {
        if ByteClass.isDigit(byte) { return Int(byte &- 0x30) }
        let letter = ByteClass.lowercased(byte) &- 0x61
        return letter < 6 ? Int(letter) &+ 10 : nil
    }
}
