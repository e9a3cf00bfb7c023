extension ZipName.Hazard: CustomStringConvertible {
    /// Completes "the name …".
    package var description: String {
        switch self {
        case .empty: "is empty"
        case .nul: "holds a NUL"
        case .absolute: "begins with a slash"
        case .networkPath: "names another machine"
        case .drive: "begins with a drive letter"
        case .emptyComponent: "has two slashes in a row"
        case .currentDirectory: "has a component \".\""
        case .parentDirectory: "has a component \"..\""
        case .backslash: "holds a backslash"
        case .colon: "holds a colon"
        case .controlCharacter(let value): "holds the control character \(code(value))"
        case .bidirectionalControl(let value): "holds \(code(value)), which changes the direction of writing"
        case .invisibleCharacter(let value): "holds \(code(value)), which nobody sees"
        case .noncharacter(let value): "holds \(code(value)), which is no character"
        case .trailingDot: "has a component that ends with a dot"
        case .trailingSpace: "has a component that ends with a space"
        case .deviceName: "has a component that Windows takes for a device"
        case .percentEncoding: "holds an encoded dot, separator or NUL"
        case .compatibleSeparator(let value): "holds \(code(value)), which some systems turn into a separator"
        case .compatibleDots: "has a component that some systems turn into dots"
        case .joinedPunctuation: "holds a character that joins the slash or dot beside it"
        case .invalidUTF8: "is not UTF-8"
        case .unknownEncoding: "is neither ASCII nor marked as UTF-8"
        case .tooLong(let limit): "has more than \(limit) bytes"
        case .componentTooLong(let limit): "has a component of more than \(limit) bytes"
        case .tooDeep(let limit): "has more than \(limit) components"
        }
    }

    private func code(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
