package import WidgetRender

/// The reason why a viewing was not made, or an event not taken.
package enum LiveRefusal: Error, Equatable, Sendable {
    case tooManyViewings(limit: Int)
    case tooManyOfAddress(limit: Int)
    /// More events than a person makes; the rest may be sent again after some seconds.
    case tooFast(retryAfter: Double)
    case malformed(String)
    /// The viewing has ended, or never was.
    case over
}

/// An answer to a batch of events, or to a form.
package enum LiveOutcome: Equatable, Sendable {
    case taken
    case refused(LiveRefusal)
}

/// A file that a person has picked.
package struct LiveFile: Equatable, Sendable {
    package var name: String
    package var contentType: String
    package var bytes: [UInt8]

    package init(name: String, contentType: String, bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }
}

/// A form, as a browser without script posts it: names and values in their order.
package struct LiveForm: Equatable, Sendable {
    package var fields: [(name: String, value: String)]
    package var files: [(name: String, file: LiveFile)]

    package init(fields: [(name: String, value: String)], files: [(name: String, file: LiveFile)] = []) {
        self.fields = fields
        self.files = files
    }

    package static func == (a: LiveForm, b: LiveForm) -> Bool {
        a.fields.elementsEqual(b.fields, by: ==) && a.files.elementsEqual(b.files, by: ==)
    }
}

/// What a page shows, with the number of its view.
package struct LivePage: Sendable {
    package var number: Int
    package var page: PrintedPage
    /// The rules of this viewing alone.
    package var sheet: String
}
