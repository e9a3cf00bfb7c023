/// The size of a picture of the bundle and the way it is painted. No pixel of it is read.
package struct ImageInfo: Equatable, Sendable {
    /// The paint of a picture's pixels.
    package enum Rendering: Sendable {
        /// As the place says where it is shown: in bars and in buttons of the system like `template`.
        case automatic
        case original
        /// In the tint, where the picture covers anything.
        case template
    }

    /// One file or rendition of it, for one scale.
    package struct Variant: Equatable, Sendable {
        /// Pixels along a point.
        package var scale: Double
        package var pixelWidth: Int
        package var pixelHeight: Int

        package init(scale: Double, pixelWidth: Int, pixelHeight: Int) {
            self.scale = scale
            self.pixelWidth = pixelWidth
            self.pixelHeight = pixelHeight
        }

        package var points: Size {
            Size(width: Double(pixelWidth) / scale, height: Double(pixelHeight) / scale)
        }
    }

    /// Those for a phone, from the smallest scale to the largest, each scale once.
    package private(set) var variants: [Variant] = []
    package var rendering = Rendering.automatic
    /// True if it has another picture for dark surroundings.
    package var hasDarkVariant = false
    /// True for a drawing that is sharp at every size.
    package var isVector = false
    /// True for a symbol of the system, which the bundle has no file of.
    package var isSymbol = false
    /// True for a picture that an interface shows and the bundle lacks.
    package var isMissing = false
    /// The size that an interface says, for a picture without a variant.
    package var declared: Size?

    package init(isSymbol: Bool = false) {
        self.isSymbol = isSymbol
        if isSymbol { rendering = .template }
    }

    /// A picture that an interface shows and the bundle lacks.
    package init(missing size: Size) {
        (isMissing, declared) = (true, size)
    }

    /// Adds a variant; the first of a scale counts.
    package mutating func add(_ variant: Variant) {
        guard variant.scale > 0, variant.pixelWidth > 0, variant.pixelHeight > 0,
            !variants.contains(where: { $0.scale == variant.scale })
        else { return }
        let place = variants.firstIndex { $0.scale > variant.scale } ?? variants.endIndex
        variants.insert(variant, at: place)
    }

    package var scales: [Double] { variants.map { $0.scale } }

    /// Its intrinsic size; `nil` where it is not known. A variant for scale 2, which most devices have, comes first.
    package var points: Size? { (variants.first { $0.scale == 2 } ?? variants.last)?.points ?? declared }
}

extension [String: ImageInfo] {
    /// True for the name of a picture of the bundle or of a symbol.
    package func hasPicture(_ name: String) -> Bool { self[name].map { !$0.isMissing } ?? false }
}
