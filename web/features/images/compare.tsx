import { useState } from 'react'
import { fillPath } from '#contract/endpoint.ts'
import { IMAGE_WHOLE } from '#contract/image-address.ts'
import type { Image } from '#contract/images.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { FullScreen, insideContainer } from './full-screen.tsx'

interface CompareProps {
  before: Image
  after: Image
  onClose: () => void
}

const sides = [
  { value: 'kept', label: 'Только отмеченное' },
  { value: 'whole', label: 'Как нарисовала модель' },
] as const

/** Two versions, one over the other, with a line between them that moves. */
export function Compare({ before, after, onClose }: CompareProps) {
  const [share, setShare] = useState(50)
  const [side, setSide] = useState<'kept' | 'whole'>('kept')
  const url = side === 'whole' ? fillPath(IMAGE_WHOLE, { id: after.id }) : after.url
  return (
    <FullScreen title="Было и стало" isTitled onClose={onClose} className="flex-col gap-3 p-3 pt-14 md:p-6 md:pt-14">
      <div style={{ containerType: 'size' }} className="grid min-h-0 flex-1 place-items-center">
        <div className="relative" style={insideContainer(after)}>
          <img src={before.url} alt="Было" className="absolute inset-0 size-full object-contain" />
          <img
            src={url}
            alt="Стало"
            className="absolute inset-0 size-full object-contain"
            style={{ clipPath: `inset(0 0 0 ${share}%)` }}
          />
          <span
            aria-hidden="true"
            className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-accent shadow-float"
            style={{ left: `${share}%` }}
          />
        </div>
      </div>
      <input
        type="range"
        aria-label="Граница между версиями"
        min={0}
        max={100}
        value={share}
        onChange={({ target }) => setShare(Number(target.value))}
        className="h-11 w-full accent-accent-ink"
      />
      {after.hasWhole && (
        <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
          <Segmented label="Что показать" value={side} options={sides} onChange={setSide} />
          Модель изменила и то, что не отмечено. Эта часть возвращена из прежней картинки.
        </div>
      )}
    </FullScreen>
  )
}
