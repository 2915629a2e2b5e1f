import { useCallback, useEffect, useRef, useState } from 'react'

const SPEEDS = [1, 1.25, 1.5, 2, 0.75]

/** An audio element as the screen needs it: where it is, where it goes, how fast. */
export function usePlayer(knownSeconds: number | null) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(knownSeconds ?? 0)
  const [speed, setSpeed] = useState(1)
  const [isBroken, setBroken] = useState(false)

  useEffect(() => {
    const element = audio.current
    if (!element) return
    const receive: Partial<Record<keyof HTMLMediaElementEventMap, () => void>> = {
      play: () => setPlaying(true),
      pause: () => setPlaying(false),
      ended: () => setPlaying(false),
      timeupdate: () => setAt(element.currentTime),
      seeked: () => setAt(element.currentTime),
      // A recording that a browser made does not know its own length; the server does.
      loadedmetadata: () => setLength(Number.isFinite(element.duration) ? element.duration : (knownSeconds ?? 0)),
      error: () => setBroken(true),
    }
    for (const [name, listener] of Object.entries(receive)) element.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(receive)) element.removeEventListener(name, listener)
    }
  }, [knownSeconds])

  const seek = useCallback((seconds: number) => {
    if (!audio.current) return
    audio.current.currentTime = Math.max(0, seconds)
    setAt(Math.max(0, seconds))
  }, [])
  const toggle = useCallback(() => {
    const element = audio.current
    if (element?.paused) void element.play().catch(() => undefined)
    else element?.pause()
  }, [])
  function faster() {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1
    if (audio.current) audio.current.playbackRate = next
    setSpeed(next)
  }
  return { audio, isPlaying, at, length, speed, isBroken, seek, toggle, faster }
}

export type Player = ReturnType<typeof usePlayer>
