/// One version of an image or colour in a catalogue: for a scale, a device, an appearance.
package struct Rendition: Sendable {
    /// The kind of content, with details.
    package enum Content: Equatable, Sendable {
        case bitmap(BitmapCompression)
        /// A part of another rendition.
        case reference(RenditionReference)
        /// An unchanged file, such as a JPEG or a PDF.
        case data
        case color(CatalogColor)
        /// The sizes of an icon; its images are separate renditions.
        case sizes([Size])
        /// Content without pixels that this reader does not decode, by its mark.
        case other(String)
        /// Nothing, because the rendition is damaged.
        case unreadable(AssetError.Reason)
    }

    package struct Size: Equatable, Sendable {
        package var width: UInt32
        package var height: UInt32
        package var index: UInt32

        package init(width: UInt32, height: UInt32, index: UInt32) {
            (self.width, self.height, self.index) = (width, height, index)
        }
    }

    /// The name given by authors; `nil` for parts without one, such as shared sheets.
    package var name: String?
    /// The rendition's source file.
    package var fileName: String
    package var key: RenditionKey
    package var width: Int
    package var height: Int
    /// Pixels per point; 1 by default.
    package var scale: Double
    package var idiom: Idiom
    package var appearance: String?
    package var pixelFormat: String
    package var colorSpace: UInt32
    package var layout: UInt16
    /// The flag bits of the rendition's header.
    package var flags: UInt32
    package var content: Content
    /// Tags of the rendition's properties, in order.
    package var propertyTags: [UInt32]

    var bytesPerRow: Int?
    var payload: FilePart

    /// The bytes that the catalogue has for it; few for a part of another.
    package var byteCount: Int { payload.count }

    /// True if the image is drawn in one colour, chosen by the screen.
    package var isTemplate: Bool { flags & 0x8 != 0 }

    /// True if the rendition has pixels, or refers to another rendition's.
    package var isImage: Bool {
        switch content {
        case .bitmap, .reference: true
        case .data: pixelFormat == "JPEG"
        default: false
        }
    }
}

/// A reference to a rectangle in another rendition, counted from the bottom left.
package struct RenditionReference: Equatable, Sendable {
    package var key: RenditionKey
    package var left: Int
    package var bottom: Int
    package var width: Int
    package var height: Int
}

/// A named colour.
package struct CatalogColor: Equatable, Sendable {
    package var colorSpace: UInt32
    /// Red, green, blue and alpha, or grey and alpha; 0 to 1 in most colour spaces.
    package var components: [Double]

    package init(colorSpace: UInt32, components: [Double]) {
        (self.colorSpace, self.components) = (colorSpace, components)
    }
}

/// A name, and the attributes shared by all its renditions.
package struct Facet: Equatable, Sendable {
    package var name: String
    package var key: RenditionKey
}

/// An attribute that distinguishes renditions of one image.
package struct KeyAttribute: Hashable, Sendable {
    package var number: UInt16

    package init(_ number: UInt16) {
        self.number = number
    }

    package static let element = KeyAttribute(1)
    package static let part = KeyAttribute(2)
    package static let size = KeyAttribute(3)
    package static let direction = KeyAttribute(4)
    package static let value = KeyAttribute(6)
    package static let appearance = KeyAttribute(7)
    package static let dimension1 = KeyAttribute(8)
    package static let dimension2 = KeyAttribute(9)
    package static let state = KeyAttribute(10)
    package static let layer = KeyAttribute(11)
    package static let scale = KeyAttribute(12)
    package static let localization = KeyAttribute(13)
    package static let idiom = KeyAttribute(15)
    package static let subtype = KeyAttribute(16)
    package static let identifier = KeyAttribute(17)
    package static let horizontalClass = KeyAttribute(20)
    package static let verticalClass = KeyAttribute(21)
    package static let memoryClass = KeyAttribute(22)
    package static let graphicsClass = KeyAttribute(23)
    package static let gamut = KeyAttribute(24)
    package static let deploymentTarget = KeyAttribute(25)
}

/// The attributes of one rendition.
package struct RenditionKey: Hashable, Sendable {
    private struct Value: Hashable {
        var attribute: KeyAttribute
        var number: UInt16
    }

    /// Attributes other than 0, sorted.
    private var values: [Value] = []

    package init() {}

    /// Reserves room for this many attributes.
    init(capacity: Int) { values.reserveCapacity(capacity) }

    package subscript(_ attribute: KeyAttribute) -> UInt16 {
        get { values.first { $0.attribute == attribute }?.number ?? 0 }
        set {
            // Attributes are mostly added in order.
            guard let last = values.last, last.attribute.number >= attribute.number else {
                if newValue != 0 { values.append(Value(attribute: attribute, number: newValue)) }
                return
            }
            let place = values.firstIndex { $0.attribute.number >= attribute.number } ?? values.count
            let isKnown = place < values.count && values[place].attribute == attribute
            switch (isKnown, newValue) {
            case (true, 0): values.remove(at: place)
            case (true, _): values[place].number = newValue
            case (false, 0): break
            case (false, _): values.insert(Value(attribute: attribute, number: newValue), at: place)
            }
        }
    }
}

/// The kind of device a rendition is for.
package enum Idiom: Equatable, Sendable {
    case universal, phone, pad, tv, car, watch, marketing, mac, vision
    case unknown(UInt16)

    private static let known: [Idiom] = [.universal, .phone, .pad, .tv, .car, .watch, .marketing, .mac, .vision]

    init(number: UInt16) {
        self = Int(number) < Self.known.count ? Self.known[Int(number)] : .unknown(number)
    }

    package var name: String {
        switch self {
        case .universal: "universal"
        case .phone: "phone"
        case .pad: "pad"
        case .tv: "tv"
        case .car: "car"
        case .watch: "watch"
        case .marketing: "marketing"
        case .mac: "mac"
        case .vision: "vision"
        case .unknown(let number): "idiom \(number)"
        }
    }
}
