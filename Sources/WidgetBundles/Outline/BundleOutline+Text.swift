internal import Bytes

extension BundleOutline: CustomStringConvertible {
    /// For people; what the bundle says is made harmless to a terminal.
    package var description: String {
        var text = ""
        for screen in screens {
            text += "screen  \(BundleOutline.safe(screen.name))\n"
            for mediator in screen.mediators {
                let type = mediator.type.map { ": \(BundleOutline.safe($0))" } ?? ""
                text += "  mediator \(BundleOutline.safe(mediator.identifier))\(type)\n"
            }
            for predicate in screen.predicates { text += "  predicate \(BundleOutline.safe(predicate))\n" }
        }
        for service in services {
            text += "service \(BundleOutline.safe(service.path))"
            if let address = service.baseURL { text += " at \(BundleOutline.safe(address))" }
            text += "\n"
            for action in service.actions { text += "  action \(BundleOutline.safe(action))\n" }
        }
        for interface in interfaces { text += interface.description }
        for model in models { text += model.description }
        for images in images { text += images.description }
        return text
    }

    static func safe(_ text: String) -> String {
        ShownText.plain(text, limit: 400)
    }
}
