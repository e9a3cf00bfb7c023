package import GroupCache
internal import WidgetContract
package import WidgetCore
package import WidgetHosting
internal import WidgetRunning
package import WidgetSurroundings

/// The caches of a host's widgets, in one folder: `groups/NAME` for each group, and `own/ID` for what a widget shares
/// with none.
package struct HostCache: Sendable {
    let folder: String
    private let granted: @Sendable (String) -> Set<GroupName>
    private let limits: GroupCacheLimits
    private let report: @Sendable (GroupCacheFault) -> Void
    private let world: World

    /// - Parameters:
    ///   - granted: the groups that the host grants to a widget of that identifier; none by default.
    ///   - report: called with each damaged entry, once.
    package init(
        at folder: String, limits: GroupCacheLimits = GroupCacheLimits(), in world: World = .machine,
        granted: @escaping @Sendable (String) -> Set<GroupName> = { _ in [] },
        report: @escaping @Sendable (GroupCacheFault) -> Void = { _ in }
    ) {
        self.folder = folder
        self.limits = limits
        self.granted = granted
        self.report = report
        self.world = world
    }

    /// The caches of one widget of which a person knows that it may use all groups that it declares.
    ///
    /// - Parameter report: called with a sentence about each damaged entry, once.
    package init(
        at folder: String, grantingAllOf program: Program, in world: World,
        report: @escaping @Sendable (String) -> Void
    ) {
        let groups = Set(program.terms.groups.compactMap { try? GroupName($0) })
        self.init(at: folder, in: world, granted: { _ in groups }, report: { report("\($0)") })
    }

    /// The widget's alone: for values of a bundle that declares no group, and for answers of servers.
    func own(_ widget: String) throws(GroupCacheError) -> CacheGroup {
        let name = try GroupName(widget)
        return try CacheGroup(
            name, at: "\(folder)/own", access: GroupAccess(declared: [name], granted: [name]), limits: limits,
            in: world, report: report)
    }

    /// The place of a widget's cached values, and the group that has them unless it is denied.
    package func place(of widget: String, _ program: Program) -> (place: any CachePlace, group: CacheGroup?) {
        do throws(GroupCacheError) {
            let group = try group(of: widget, declaring: program.terms.groups)
            return (GroupPlace(group, writer: widget), group)
        } catch {
            return (DeniedCache(CacheRefusal("The cache cannot be used: \(error)")), nil)
        }
    }

    /// A network that keeps the answers of servers to the widget, to ask for them on condition. A widget whose folder cannot
    /// be used asks for whole answers.
    ///
    /// - Parameter complain: called with the reason why the folder cannot be used.
    package func keeping(
        _ network: any WidgetNetwork, of widget: String, complain: (String) -> Void
    ) -> any WidgetNetwork {
        guard let web = network as? WebNetwork else { return network }
        do throws(GroupCacheError) {
            return web.keeping(KeptAnswers(try own(widget), of: widget))
        } catch {
            complain("Answers of servers are not kept: \(error)")
            return network
        }
    }

    /// The cache that the widget's program reads and writes.
    ///
    /// - Parameter declared: the groups that its bundle declares, in its order. The first one has its values.
    func group(of widget: String, declaring declared: [String]) throws(GroupCacheError) -> CacheGroup {
        guard let first = declared.first else { return try own(widget) }
        let name = try GroupName(first)
        var names: Set<GroupName> = []
        for text in declared { names.insert(try GroupName(text)) }
        return try CacheGroup(
            name, at: "\(folder)/groups", access: GroupAccess(declared: names, granted: granted(widget)),
            limits: limits, in: world, report: report)
    }
}
