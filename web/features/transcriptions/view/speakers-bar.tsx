import { useState } from 'react'
import type { Segment, Speaker, SpeakerChange } from '#contract/transcriptions.ts'
import { notify } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Users } from '#web/ui/icons.ts'
import { sharesOfTime } from '../speakers.ts'
import { JoinDialog } from './join-dialog.tsx'
import { SpeakerDialog } from './speaker-dialog.tsx'
import { SpeakerMark } from './speaker-mark.tsx'

interface SpeakersBarProps {
  speakers: readonly Speaker[]
  segments: readonly Segment[]
  onChange: (changes: SpeakerChange[]) => Promise<unknown>
}

/** The people on the recording: a press renames one, «Объединить» makes several one. */
export function SpeakersBar({ speakers, segments, onChange }: SpeakersBarProps) {
  const [named, setNamed] = useState<string | null>(null)
  const [isJoining, setJoining] = useState(false)
  const shares = sharesOfTime(segments)
  const speaker = speakers.find(({ key }) => key === named)

  async function join(into: Speaker, others: Speaker[]) {
    await onChange(others.map(({ key }) => ({ key, joinedTo: into.key })))
    setJoining(false)
    const separate = () => void onChange(others.map(({ key }) => ({ key, joinedTo: null })))
    notify.success({ title: `Теперь это «${into.name}»`, action: { label: 'Отменить', onClick: separate } })
  }

  return (
    <section aria-label="Участники" className="flex flex-col gap-2">
      <ul className="flex flex-wrap items-center gap-2">
        {speakers.map((one) => (
          <li key={one.key}>
            <button
              type="button"
              onClick={() => setNamed(one.key)}
              className="flex min-h-9 max-w-72 items-center gap-2 rounded-full border bg-surface px-3 text-sm max-frame:min-h-11 max-frame:gap-1.5 max-frame:px-2.5 hover:bg-hover"
            >
              <SpeakerMark color={one.color} />
              <span className="min-w-0 truncate font-medium">{one.name}</span>{' '}
              <span className="figures shrink-0 text-muted">{shares.get(one.key) ?? 0} %</span>
              <span className="sr-only"> времени. Изменить</span>
            </button>
          </li>
        ))}
        {speakers.length > 1 && (
          <li>
            <Button size="sm" variant="ghost" icon={<Users size={18} />} onClick={() => setJoining(true)}>
              Объединить
            </Button>
          </li>
        )}
      </ul>
      {speaker && <SpeakerDialog speaker={speaker} onSave={onChange} onClose={() => setNamed(null)} />}
      {isJoining && (
        <JoinDialog speakers={speakers} segments={segments} onJoin={join} onClose={() => setJoining(false)} />
      )}
    </section>
  )
}
