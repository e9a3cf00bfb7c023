// Keeps a page with widgets for when there is no network. In a page, `<script src="widget-offline.js" defer></script>`, it has the browser
// take the same file as a service worker for all that lies beside and below it; as that it answers from what it has kept.

const shelf = 'widget-offline'

/** True for an address whose bytes never change: its name has their digest. */
const isForever = (address) => /-[0-9a-f]{32}\.(wasm|css)$|\/[0-9a-f]{64}(\.zip)?$/.test(new URL(address).pathname)

/** True for what can be kept: a whole answer of this origin that does not go on for ever. */
const isKept = (answer) => answer.status == 200 && answer.type == 'basic' && !/event-stream/.test(answer.headers.get('Content-Type'))
  && !/no-store|private/.test(answer.headers.get('Cache-Control'))

/** - event: the browser lets what it has begun come to an end. */
async function fresh(request, event) {
  const answer = await fetch(request)
  if (isKept(answer)) {
    const copy = answer.clone()
    // The answer is not late for it, and what has no room is asked for again.
    event.waitUntil(caches.open(shelf).then((shelved) => shelved.put(request, copy)).catch(() => {}))
  }
  return answer
}

async function answer(event) {
  const { request } = event
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept && isForever(request.url)) return kept
  try {
    const found = await fresh(request, event)
    // A proxy whose server is away answers in its place.
    return kept && found.status >= 500 ? kept : found
  } catch (error) {
    if (kept) return kept
    throw error
  }
}

function serveOffline() {
  addEventListener('install', () => skipWaiting())
  addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  addEventListener('fetch', (event) => {
    const { request } = event
    const isOurs = request.method == 'GET' && request.url.startsWith(registration.scope) && !request.headers.has('Range')
    if (isOurs) event.respondWith(answer(event))
  })
  // What a page has loaded before this was there.
  addEventListener('message', (event) => {
    for (const address of event.data?.keep ?? []) {
      event.waitUntil(caches.match(address).then((kept) => kept ?? fresh(new Request(address), event)).catch(() => {}))
    }
  })
}

function keepPage() {
  const shelve = async () => {
    const { active } = await navigator.serviceWorker.ready
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
    const keep = [location.href.split('#')[0], ...loaded].filter((address) => new URL(address).origin == origin)
    active.postMessage({ keep: [...new Set(keep)] })
  }
  navigator.serviceWorker.register(document.currentScript.src).then(shelve, (error) => console.warn(`Not kept for offline: ${error.message}`))
  // A widget that is shown has loaded its archive.
  document.addEventListener('ready', shelve, true)
}

if (self.document) {
  if (navigator.serviceWorker) keepPage()
} else {
  serveOffline()
}
