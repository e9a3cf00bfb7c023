/// What to fetch.
package struct FetchRequest: Equatable, Sendable {
    package struct SortDescriptor: Equatable, Sendable {
        package var key: String
        package var isAscending: Bool
        package var selector: String?

        package init(key: String, isAscending: Bool, selector: String? = nil) {
            (self.key, self.isAscending, self.selector) = (key, isAscending, selector)
        }
    }

    package var entityName: String?
    /// The condition as text; `nil` when there is none.
    package var predicate: String?
    package var sortDescriptors: [SortDescriptor] = []
    /// 0 for all.
    package var fetchLimit: Int64 = 0
    package var fetchOffset: Int64 = 0
    package var batchSize: Int64 = 0

    package init(entityName: String?) {
        self.entityName = entityName
    }
}

/// A request that the model keeps under a name.
package struct FetchRequestTemplate: Equatable, Sendable {
    package var name: String
    package var request: FetchRequest

    package init(name: String, request: FetchRequest) {
        (self.name, self.request) = (name, request)
    }
}
