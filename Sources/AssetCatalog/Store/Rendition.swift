/// One version of something in a catalogue: for a scale, a device, an appearance.
package struct Rendition: Sendable {
    /// What it holds.
    package enum Content: Equatable, Sendable {
        case bitmap(BitmapCompression)
        /// A part of another rendition.
        case reference(RenditionReference)
        /// A file as it was, such as a JPEG or a PDF.
        case data
        case color(CatalogColor)
        /// The sizes of an icon, whose images are renditions of their own.
        case sizes([Size])
        /// Something without pixels that this reader does not take apart, by its mark.
        case other(String)
        /// Nothing, because it is damaged.
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

    /// The name authors gave; `nil` for parts that have none, such as shared sheets.
    package var name: String?
    /// The file it was made from.
    package var fileName: String
    package var key: RenditionKey
    package var width: Int
    package var height: Int
    /// Pixels for a point; 1 when nothing says otherwise.
    package var scale: Double
    package var idiom: Idiom
    package var appearance: String?
    package var pixelFormat: String
    package var colorSpace: UInt32
    package var layout: UInt16
    /// Bits of the rendition's header.
    package var flags: UInt32
    package var content: Content
    /// Tags of the properties that came with it, in order.
    package var propertyTags: [UInt32]

    var bytesPerRow: Int?
    var payload: FilePart

    /// Drawn in one colour that the screen chooses.
    package var isTemplate: Bool { flags & 0x8 != 0 }

    /// Whether there are pixels to be had, of its own or of another rendition.
    package var isImage: Bool {
        switch content {
        case .bitmap, .reference: true
        case .data: pixelFormat == "JPEG"
        default: false
        }
    }
}

/// Where a rendition's pixels are: a rectangle in another rendition, counted from the bottom left.
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

/// A name and the attributes that all its renditions share.
package struct Facet: Equatable, Sendable {
    package var name: String
    package var key: RenditionKey
}
