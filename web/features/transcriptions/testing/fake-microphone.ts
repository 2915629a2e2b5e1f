import { vi } from 'vitest'

/** A microphone that a test allows or denies; what is recorded is a few bytes. */
export function fakeMicrophone(denied?: 'NotAllowedError'): { isOn: () => boolean } {
  let open = 0
  const track = { stop: () => (open -= 1), addEventListener() {} }
  const getUserMedia = async () => {
    if (denied) throw new DOMException('denied', denied)
    open += 1
    return { getTracks: () => [track], getAudioTracks: () => [track] }
  }
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  vi.stubGlobal('IDBKeyRange', { bound: () => undefined })
  vi.stubGlobal('MediaRecorder', FakeRecorder)
  return { isOn: () => open > 0 }
}

class FakeRecorder {
  static isTypeSupported = () => true
  readonly mimeType = 'audio/webm;codecs=opus'
  state = 'inactive'
  onstop?: () => void
  ondataavailable?: (event: { data: Blob }) => void

  start() {
    this.state = 'recording'
  }

  stop() {
    this.state = 'inactive'
    this.ondataavailable?.({ data: new Blob(['sound'], { type: 'audio/webm' }) })
    this.onstop?.()
  }
}
