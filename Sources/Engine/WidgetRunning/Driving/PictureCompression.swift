internal import WidgetAssetCatalog
internal import WidgetCore

/// Compresses the pictures of a request as JPEG, where the form that took them asks for it.
enum PictureCompression {
    /// The limits of a picked picture: its file is within that of ``MediaFile``, and its pixels are those of a large
    /// camera.
    private static let limits = AssetLimits(byteCount: 8 << 20, pixelCount: 16 << 20, expandedByteCount: 128 << 20)

    /// The request with its PNGs as JPEGs. Pictures of other forms, and damaged ones, stay as they are.
    static func applied(to request: ServiceRequest) -> ServiceRequest {
        guard request.compression != nil || request.parts.contains(where: { $0.compression != nil }) else {
            return request
        }
        var request = request
        if let quality = request.compression { request.body = compressed(request.body, quality) }
        for place in request.parts.indices {
            guard let quality = request.parts[place].compression else { continue }
            request.parts[place].bytes = compressed(request.parts[place].bytes, quality)
        }
        return request
    }

    private static func compressed(_ bytes: [UInt8], _ quality: Double) -> [UInt8] {
        guard PNGImage.begins(bytes) else { return bytes }
        do throws(AssetError) {
            return JPEGEncoder.encoded(try PNGImage.decoded(bytes, limits: limits), quality: quality) ?? bytes
        } catch {
            // The server is the one to judge a damaged picture: the user has picked it, and no author can mend it.
            return bytes
        }
    }
}
