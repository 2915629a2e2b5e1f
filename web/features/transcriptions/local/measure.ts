const PATIENCE_MS = 6000

/** How long a recording is, as far as this browser can tell. */
export function measure(file: Blob): Promise<number | null> {
  return new Promise((done) => {
    const audio = document.createElement('audio')
    const url = URL.createObjectURL(file)
    const finish = (seconds: number | null) => {
      clearTimeout(timer)
      audio.removeAttribute('src')
      URL.revokeObjectURL(url)
      done(seconds)
    }
    const timer = setTimeout(() => finish(null), PATIENCE_MS)
    audio.preload = 'metadata'
    audio.onloadedmetadata = () => finish(Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : null)
    audio.onerror = () => finish(null)
    audio.src = url
  })
}
