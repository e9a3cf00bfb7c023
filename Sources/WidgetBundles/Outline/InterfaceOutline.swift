/// What a compiled interface shows and what it connects: its screens with their controllers, views and segues.
package struct InterfaceOutline: Equatable, Sendable {
    /// An attribute that is set when the interface is loaded, its value as a person would write it.
    package struct Attribute: Equatable, Sendable {
        package var keyPath: String
        package var value: String
    }

    /// A property of one object that is another; or what one object does to another when something happens.
    package struct Connection: Equatable, Sendable {
        package var source: String
        package var name: String
        package var destination: String
    }

    package struct Segue: Equatable, Sendable {
        package var kind: String
        package var identifier: String?
        package var destination: String?
    }

    package struct View: Equatable, Sendable {
        package var depth: Int
        package var className: String
        package var frame: [Double]?
        package var text: String?
        /// Of a cell that is made from this one.
        package var reuseIdentifier: String?
        package var attributes: [Attribute] = []
    }

    /// A controller, or an interface of its own.
    package struct Part: Equatable, Sendable {
        /// Controllers around it.
        package var depth = 0
        package var className: String
        package var title: String?
        package var restorationIdentifier: String?
        package var segues: [Segue] = []
        package var outlets: [Connection] = []
        package var events: [Connection] = []
        /// Of objects that are no views.
        package var attributes: [Attribute] = []
        package var views: [View] = []
    }

    package struct Screen: Equatable, Sendable {
        package var identifier: String
        package var isEntry: Bool
        package var parts: [Part]
    }

    package var path: String
    package var screens: [Screen] = []
    /// Why some of it cannot be read.
    package var faults: [String] = []
}
