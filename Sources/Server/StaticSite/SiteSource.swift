package import WidgetBytes
package import WidgetFiles

/// A registry that a site is made of: the questions that a host would ask it, with a reader's view of everything.
package protocol SiteSource {
    /// Part of the bundles, in the order of their identifiers.
    func bundles(after last: String?) throws(SiteError) -> (identifiers: [String], next: String?)
    /// The registry's answer for a widget; `nil` when it has nothing to show.
    func resolution(of widget: String, channel: String) throws(SiteError) -> [UInt8]?
    /// True while the registry gives the archive away: not after its releases were withdrawn.
    func offers(_ digest: Digest) throws(SiteError) -> Bool
    /// Copies an archive; `false` when the registry cannot give it.
    func copy(_ digest: Digest, into file: borrowing StagedFile) throws(SiteError) -> Bool
}

/// The widgets and channels that a site has.
package struct SiteOptions: Sendable {
    /// The channels whose releases the site shows.
    package var channels: [String]
    /// The bundle, or the labels before a dot that bundles begin with; empty: all bundles.
    package var prefix = ""
    /// Widget identifiers beside those that follow from the bundles' identifiers.
    package var widgets: [String] = []
    /// The texts that make a widget identifier of a bundle's. The bundle's identifier is one itself.
    package var suffixes: [String] = []
    /// The seconds for which an archive stays after the last document has ceased to name it.
    package var grace: Int64
    /// True to compare the archives of the site with their digests.
    package var verifiesArchives = false
    /// Makes the files of a page that shows these widgets, by paths without folders; `nil` for a site without one.
    package var page: (@Sendable (_ widgets: [String]) -> [(path: String, bytes: [UInt8])])?
    /// The present time, in seconds since 1970.
    package var now: Int64

    package init(channels: [String], grace: Int64, now: Int64) {
        self.channels = channels
        self.grace = grace
        self.now = now
    }

    /// True for a bundle of the prefix, on the boundary of a label.
    func include(_ bundle: String) -> Bool {
        prefix.isEmpty || bundle == prefix || bundle.utf8.starts(with: "\(prefix).".utf8)
    }
}

/// The outcome of an export.
package struct SiteReport: Equatable, Sendable {
    /// Items of one kind, by what became of them.
    package struct Share: Equatable, Sendable {
        package var written = 0
        package var unchanged = 0
        package var removed = 0

        package init() {}
    }

    package var documents = Share()
    package var archives = Share()
    /// Of the archives that were written.
    package var byteCount = 0
    /// Archives that no document names any more, until their time is over.
    package var waiting = 0
    /// Documents that show two releases, to shares of the hosts.
    package var rollouts = 0
    /// Documents with a release that asks for a system or a host of some version.
    package var minimums = 0
    /// Archives that the registry could not give. Documents that need them were left as they were.
    package var missing: [Digest] = []
    /// Widgets that were asked for by name, for which there is nothing to show.
    package var absent: [String] = []

    package init() {}
}

/// The reason why an export ended early. The site is as it was, or has some of the new documents; it is whole either way.
package enum SiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The folder has other things in it.
    case occupied(String)
    /// Another export writes to the folder.
    case inUse(String)
    /// The name of the folder cannot be written into the configuration of a web server.
    case unsuitablePath(String)
    case file(FileError)
    /// The registry did not answer.
    case source(String)
    /// The registry's answer for a widget is not understood.
    case unreadable(widget: String)
    case outOfMemory

    package var description: String {
        switch self {
        case .occupied(let path): "\(path) is not empty, and holds no export"
        case .inUse(let path): "another export writes to \(path)"
        case .unsuitablePath(let path): "the path \(path) has a character that a configuration of nginx cannot have"
        case .file(let error): error.description
        case .source(let reason): reason
        case .unreadable(let widget): "the answer for \(widget) is not understood"
        case .outOfMemory: "there is not enough memory for this"
        }
    }
}
