import { colorOf } from '../speakers.ts'

export function SpeakerMark({ color }: { color: number }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-2.5 shrink-0 rounded-full"
      style={{ backgroundColor: colorOf(color) }}
    />
  )
}
