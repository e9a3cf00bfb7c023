internal import Plist

extension ModelReader {
    mutating func fetchRequest(_ object: KeyedObject) throws(ModelError) -> FetchRequest {
        note(object, except: .request)
        var request = FetchRequest(entityName: try string(object, "NSEntityName"))
        if request.entityName == nil, let entity = try self.object(object, "NSEntity") {
            request.entityName = try string(entity, "NSEntityName")
        }
        request.predicate = try predicate(object, "NSPredicate")
        for descriptor in try elements(object, "NSSortDescriptors") {
            guard let key = try string(descriptor, "NSKey") else { continue }
            request.sortDescriptors.append(
                FetchRequest.SortDescriptor(
                    key: key,
                    isAscending: try flag(descriptor, "NSAscending", orElse: true),
                    selector: try string(descriptor, "NSSelector")))
        }
        request.fetchLimit = try integer(object, "NSFetchLimit") ?? 0
        request.fetchOffset = try integer(object, "NSFetchOffset") ?? 0
        for key in ["NSBatchSize", "NSFetchBatchSize"] {
            if let size = try integer(object, key) { request.batchSize = size }
        }
        return request
    }
}
