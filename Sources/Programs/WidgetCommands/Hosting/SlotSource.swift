import GroupCache
import JSONText
import WidgetAddresses
import WidgetBytes
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetLive
import WidgetRender
import WidgetRunning
import WidgetTransfers

/// The program of a slot's widget, which updates replace.
final class ShownProgram: Sendable {
    private let state: Guarded<LiveProgram>

    init(_ program: LiveProgram) {
        state = Guarded(program)
    }

    var program: LiveProgram { state.withLock { $0 } }

    func take(_ program: LiveProgram) { state.withLock { $0 = program } }
}

/// A viewing of a slot's widget, for as long as its page is there.
struct WeakViewing {
    weak var viewing: Viewing?
}

/// The widget of a slot as one page has it. It runs whether it is viewed or not, and all pages share it.
final class SlotSource: LiveSource {
    private let letter: String
    private let widget: RunningWidget
    private let shown: ShownProgram
    private let board: HostBoard
    private let page: WeakPage

    private struct WeakPage: Sendable {
        weak let page: LivePage?
    }

    init(_ letter: String, _ running: HostBoard.RunningSlot, _ board: HostBoard, _ page: LivePage) {
        self.letter = letter
        self.board = board
        widget = running.widget
        shown = running.shown
        self.page = WeakPage(page: page)
    }

    var program: LiveProgram { shown.program }

    func widget() async -> RunningWidget { widget }

    func begin(_ widget: RunningWidget) async {}

    func end(_ widget: RunningWidget) async {}

    /// The host has replaced the program already.
    func renew(_ widget: RunningWidget) async {}

    func open(_ address: String, isTouched: Bool) async -> Bool {
        // Without a touch, people would be taken to another widget than the one that they look at.
        guard isTouched, let page = page.page else { return false }
        return await board.open(address, from: letter, on: page)
    }

    func still() -> View {
        var instance = WidgetInstance(program.planned.program)
        _ = instance.send(.start)
        return instance.view()
    }
}

/// The networks and groups that the slots of a host grant to their widgets.
final class SlotNetworks: Sendable {
    private struct Grant {
        var network: any WidgetNetwork = DeniedNetwork()
        var groups: Set<GroupName> = []
    }

    private let ranges: [AddressRange]
    private let grants = Guarded<[String: Grant]>([:])

    /// - Parameter ranges: private addresses that grants may lead to.
    init(_ ranges: [AddressRange]) {
        self.ranges = ranges
    }

    /// Grants that were checked when the page was read.
    func grant(_ addresses: [String], groups: [String], to identifier: String) {
        var grant = Grant()
        if !addresses.isEmpty, let allowed = try? NetworkGrant(addresses, privateRanges: ranges) {
            grant.network = WebNetwork(allowed)
        }
        grant.groups = Set(groups.compactMap { try? GroupName($0) })
        grants.withLock { $0[identifier] = grant }
    }

    func network(of identifier: String) -> any WidgetNetwork {
        grants.withLock { $0[identifier]?.network } ?? DeniedNetwork()
    }

    func groups(of identifier: String) -> Set<GroupName> { grants.withLock { $0[identifier]?.groups } ?? [] }
}

/// The order of a page's slots, in the folder of the host's stores.
struct KeptArrangement: Sendable {
    private static let name = "arrangement.json"
    private static let byteLimit = 256 << 10

    private let folder: String

    init(in folder: String) {
        self.folder = folder
    }

    /// The letters of slots in the order that was kept. Slots that it does not know come after those before them.
    ///
    /// - Parameter slots: letters and keys, in the order of the page's file.
    func sorted(_ slots: [(letter: String, key: String)]) -> [String] {
        let kept = keys()
        var places: [(place: Int, letter: String)] = []
        for slot in slots {
            let place = kept.firstIndex(of: slot.key) ?? places.last?.place ?? -1
            places.append((place, slot.letter))
        }
        return places.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element.letter)
    }

    /// An order that cannot be read is that of the page's file.
    private func keys() -> [String] {
        guard let directory = try? Directory(opening: folder), let file = try? directory.openFile(KeptArrangement.name),
            let bytes = try? file.read(at: 0, count: KeptArrangement.byteLimit),
            let json = try? JSONValue(parsing: bytes)
        else { return [] }
        return json.array?.compactMap(\.string) ?? []
    }

    /// - Returns: the reason why the order cannot be kept; `nil` if it is.
    func keep(_ keys: [String]) -> String? {
        var writer = JSONWriter()
        writer.array { writer in for key in keys { writer.string(key) } }
        do throws(FileError) {
            try Directory(creating: folder).replaceFile(KeptArrangement.name, with: writer.finish())
            return nil
        } catch {
            return "\(error)"
        }
    }
}
