// Browsers know time zones by name, and give no file of them. The file that the engine reads is made of what they say.

/** The seconds that clocks in a zone are ahead of UTC at a moment. */
function offsetAt(format, seconds) {
  const parts = format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value])
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts)
  return Date.UTC(year, month - 1, day, hour % 24, minute, second) / 1000 - seconds
}

/** The changes of a zone from 1970 to 2037, as a file of zones has them. Before and after, clocks stay. */
function zoneFile(name) {
  let format
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric',
      minute: 'numeric', second: 'numeric',
    })
  } catch {
    return undefined
  }
  const [first, last] = [0, Date.UTC(2037, 11, 31) / 1000]
  const changes = []
  // No zone has changed twice within three weeks.
  const step = 21 * 86_400
  let [place, offset] = [first, offsetAt(format, first)]
  const offsets = [offset]
  while (place < last) {
    const next = Math.min(place + step, last)
    const other = offsetAt(format, next)
    if (other != offset) {
      let [low, high] = [place, next]
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        if (offsetAt(format, middle) == offset) low = middle
        else high = middle
      }
      changes.push([high, other])
      if (!offsets.includes(other)) offsets.push(other)
      offset = other
    }
    place = next
  }
  return zoneBytes(changes, offsets)
}

function zoneBytes(changes, offsets) {
  const bytes = new DataView(new ArrayBuffer(44 + changes.length * 5 + offsets.length * 6 + 4))
  encoder.encodeInto('TZif', new Uint8Array(bytes.buffer))
  for (const [place, value] of [[32, changes.length], [36, offsets.length], [40, 4]]) bytes.setUint32(place, value)
  let place = 44
  for (const [moment] of changes) bytes.setInt32((place += 4) - 4, moment)
  for (const [, offset] of changes) bytes.setUint8(place++, offsets.indexOf(offset))
  for (const offset of offsets) {
    bytes.setInt32(place, offset)
    place += 6
  }
  encoder.encodeInto('LMT\0', new Uint8Array(bytes.buffer, place))
  return new Uint8Array(bytes.buffer)
}
