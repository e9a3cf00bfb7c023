/// The elements of the XML form (PropertyList-1.0.dtd).
enum XMLElement: String {
    case plist, dict, array, key, string, data, date, integer, real
    case yes = "true"
    case no = "false"
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
