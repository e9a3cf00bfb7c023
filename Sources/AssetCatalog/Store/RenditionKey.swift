/// An attribute by which renditions of one image are told apart.
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

/// The attributes of one rendition: what it is for.
package struct RenditionKey: Hashable, Sendable {
    private struct Value: Hashable {
        var attribute: KeyAttribute
        var number: UInt16
    }

    /// Those that are not 0, in the order of their attributes.
    private var values: [Value] = []

    package init() {}

    /// With room for so many attributes.
    init(capacity: Int) { values.reserveCapacity(capacity) }

    package subscript(_ attribute: KeyAttribute) -> UInt16 {
        get { values.first { $0.attribute == attribute }?.number ?? 0 }
        set {
            // Mostly they come in their order.
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
        if case .unknown(let number) = self { "idiom \(number)" } else { "\(self)" }
    }
}
