import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { readSquareImage } from '#web/lib/square-image.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Emblem } from '#web/ui/emblem.tsx'
import { FileInput } from '#web/ui/file-input.tsx'
import { ImageUp } from '#web/ui/icons.ts'

interface AvatarFieldProps {
  value: string
  onChange: (avatar: string) => void
}

export function AvatarField({ value, onChange }: AvatarFieldProps) {
  const [isOpen, setOpen] = useState(false)
  function choose(avatar: string) {
    onChange(avatar)
    setOpen(false)
  }
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label="Сменить значок"
        title="Сменить значок"
        onClick={() => setOpen(true)}
        className="rounded-[28%] transition-opacity hover:opacity-80"
      >
        <Emblem value={value} size={64} />
      </button>
      {isOpen && <AvatarDialog value={value} onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  )
}

interface AvatarDialogProps {
  value: string
  onChoose: (avatar: string) => void
  onClose: () => void
}

function AvatarDialog({ value, onChoose, onClose }: AvatarDialogProps) {
  return (
    <Dialog open onClose={onClose} title="Значок ассистента">
      <div className="grid grid-cols-8 gap-1">
        {emoji.map((sign) => (
          <button
            key={sign}
            type="button"
            aria-label={`Значок ${sign}`}
            aria-pressed={sign === value}
            onClick={() => onChoose(sign)}
            className={classNames(
              'grid aspect-square place-items-center rounded-md text-2xl transition-colors hover:bg-hover',
              sign === value && 'bg-accent-soft',
            )}
          >
            {sign}
          </button>
        ))}
      </div>
      <ImageButton onChoose={onChoose} />
    </Dialog>
  )
}

function ImageButton({ onChoose }: { onChoose: (avatar: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const read = useMutation({ meta: { silent: true }, mutationFn: readSquareImage, onSuccess: onChoose })
  return (
    <div className="mt-4 flex flex-col gap-2">
      <FileInput
        ref={input}
        label="Файл с картинкой"
        accept="image/*"
        onFiles={([file]) => file && read.mutate(file)}
      />
      <Button
        busy={read.isPending}
        icon={<ImageUp size={18} />}
        onClick={() => input.current?.click()}
        className="self-start"
      >
        Загрузить картинку
      </Button>
      {read.error && (
        <p role="alert" className="text-sm text-danger">
          {read.error.message}
        </p>
      )}
    </div>
  )
}

const emoji = [
  ...'🤖 🧠 💡 ✨ 🦉 🐱 🦊 🐝 📑 📚 📝 ✍️ 📊 📈 🗂️ 🔎'.split(' '),
  ...'⚖️ 🏦 💰 🧾 🛒 📦 🏗️ 🏠 🎓 🧪 🔬 🧮 🌍 🗣️ 🎨 🎬'.split(' '),
  ...'🩺 🥗 🏃 🌱 ✈️ 🍳 🎮 🎵 💻 🛠️ 🔐 📣 🤝 📅 ☎️ ❤️'.split(' '),
]
