/// The elements of the XML form (PropertyList-1.0.dtd).
enum XMLElement: String {
    case plist, dict, array, key, string, data, date, integer, real
    case yes = "true"
    case no = "false"
}

extension XMLElement {
    /// The element of that name. A document has one for every value, so its bytes are compared as a number.
    init?(named name: Span<UInt8>) {
        switch XMLElement.spelling(of: name) {
        case 0x70_6C69_7374: self = .plist
        case 0x6469_6374: self = .dict
        case 0x61_7272_6179: self = .array
        case 0x6B_6579: self = .key
        case 0x7374_7269_6E67: self = .string
        case 0x6461_7461: self = .data
        case 0x6461_7465: self = .date
        case 0x69_6E74_6567_6572: self = .integer
        case 0x7265_616C: self = .real
        case 0x7472_7565: self = .yes
        case 0x66_616C_7365: self = .no
        default: return nil
        }
    }

    /// The bytes of a short name, the first one highest; 0 for one that is too long to be any.
    static func spelling(of name: Span<UInt8>) -> UInt64 {
        guard name.count <= 8 else { return 0 }
        var spelling: UInt64 = 0
        for index in name.indices { spelling = spelling << 8 | UInt64(name[index]) }
        return spelling
    }
}

/// One tag as it stands in the text.
struct XMLTag {
    enum Kind {
        case start, end, empty
    }

    var element: XMLElement
    var kind: Kind
    var offset: Int
}
