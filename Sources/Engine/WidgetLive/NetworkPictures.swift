package import Surroundings
package import WidgetCore
package import WidgetRender
package import WidgetRunning

/// The pictures of the network that a page shows, as far as each has come, within the bounds of a page.
package struct NetworkPictures {
    private struct Entry {
        var picture = NetworkPicture.awaited
        var bytes: [UInt8] = []
        var pixelCount = 0
        var fetch: Task<Void, Never>?
    }

    private let limits: LiveLimits
    private var entries: [String: Entry] = [:]
    /// The addresses of the view that was looked at last, which is often looked at again.
    private var known: (root: ViewNode, windows: [ViewKey: Int], addresses: [String])?

    package init(_ limits: LiveLimits = LiveLimits()) { self.limits = limits }

    /// The addresses of pictures on a page, in their order, each once.
    ///
    /// - Parameter windows: the rows that long lists show, if not as many as usual.
    package static func addresses(
        on view: View, _ options: PageOptions, windows: [ViewKey: Int] = [:], atMost limit: Int
    ) -> [String] {
        let walk = ControlWalk(windows: windows, rowLimit: options.rowLimit, rowCount: options.shownRowCount)
        var addresses: [String] = []
        var found: Set<String> = []
        walk.visit(view) { node in
            guard node.kind == .image || node.kind == .button, let address = ShownPicture(node)?.address,
                found.insert(address).inserted
            else { return true }
            addresses.append(address)
            return addresses.count < limit
        }
        return addresses
    }

    /// Fetches what a view shows and what has not been asked for, and ends what it shows no longer.
    ///
    /// - Parameter begin: begins to fetch the picture of an address.
    /// - Returns: the pictures of the view, as far as they have come.
    mutating func follow(
        _ view: View, _ options: PageOptions, windows: [ViewKey: Int], _ begin: (String) -> Task<Void, Never>
    ) -> [String: NetworkPicture] {
        if known.map({ $0.root !== view.root || $0.windows != windows }) ?? true {
            let addresses = NetworkPictures.addresses(on: view, options, windows: windows, atMost: limits.pictureCount)
            known = (view.root, windows, addresses)
            let wanted = Set(addresses)
            for (address, entry) in entries where !wanted.contains(address) {
                entry.fetch?.cancel()
                entries[address] = nil
            }
            for address in addresses where entries[address] == nil { entries[address] = Entry(fetch: begin(address)) }
        }
        return shown
    }

    /// Fetches again what has failed, which is shown as failed meanwhile.
    mutating func retry(_ begin: (String) -> Task<Void, Never>) {
        for (address, entry) in entries where entry.fetch == nil {
            if case .failed = entry.picture { entries[address]?.fetch = begin(address) }
        }
    }

    /// Takes what has come for an address.
    ///
    /// - Returns: false if the page looks as before.
    @discardableResult
    package mutating func take(_ fetched: FetchedPicture, at address: String) -> Bool {
        guard var entry = entries.removeValue(forKey: address) else { return false }
        let before = entry.picture
        entry = Entry(picture: .awaited)
        switch fetched {
        case .failed(let reason): entry.picture = .failed(reason)
        case .file(let file):
            let pixels = file.width * file.height
            if entries.values.reduce(file.bytes.count, { $0 + $1.bytes.count }) > limits.pictureByteCount {
                entry.picture = .failed("the page's pictures have more than \(limits.pictureByteCount >> 20) MB")
            } else if entries.values.reduce(pixels, { $0 + $1.pixelCount }) > limits.picturePixelCount {
                entry.picture = .failed("the page's pictures have more than \(limits.picturePixelCount) pixels")
            } else {
                let name = PageFiles.picture(file.bytes, file.kind.rawValue)
                entry.picture = .file(name: name, width: file.width, height: file.height)
                (entry.bytes, entry.pixelCount) = (file.bytes, pixels)
            }
        }
        entries[address] = entry
        return entry.picture != before
    }

    /// True if nothing is awaited.
    var isSettled: Bool { !entries.values.contains { $0.picture == .awaited } }

    package var shown: [String: NetworkPicture] { entries.mapValues(\.picture) }

    /// The bytes of the pictures that have come, by the names of their files.
    package var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for entry in entries.values { if case .file(let name, _, _) = entry.picture { files[name] = entry.bytes } }
        return files
    }

    /// Ends what is under way.
    mutating func end() {
        for entry in entries.values { entry.fetch?.cancel() }
        (entries, known) = ([:], nil)
    }
}

extension NetworkPictures {
    /// The pictures of pages that are written once, and wait for them.
    ///
    /// - Parameters:
    ///   - views: the screens of the pages.
    ///   - seconds: the time for all pictures together.
    package static func fetched(
        for views: [View], _ options: PageOptions, _ limits: LiveLimits = LiveLimits(), from network: any WidgetNetwork,
        within seconds: Double, on clock: any Clock
    ) async -> NetworkPictures {
        var pictures = NetworkPictures(limits)
        guard network.fetchesPictures else { return pictures }
        for address in views.flatMap({ addresses(on: $0, options, atMost: limits.pictureCount) })
        where pictures.entries.count < limits.pictureCount { pictures.entries[address] = Entry() }
        let wanted = pictures.entries.keys.sorted()
        await withTaskGroup(of: (address: String, picture: FetchedPicture)?.self) { group in
            for address in wanted { group.addTask { (address, await network.picture(at: address)) } }
            group.addTask {
                await clock.sleep(for: seconds)
                return nil
            }
            while !pictures.isSettled, let next = await group.next() {
                // Those that came in time are shown, whatever the others do.
                guard let next else { break }
                pictures.take(next.picture, at: next.address)
            }
            group.cancelAll()
        }
        for address in wanted where pictures.entries[address]?.picture == .awaited {
            pictures.take(.failed("it has not come within \(Int(seconds)) seconds"), at: address)
        }
        return pictures
    }
}
