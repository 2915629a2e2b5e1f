import { useId } from 'react'
import { type ImageSize, imageSizes } from '#contract/images.ts'
import { sizeNames } from './image-labels.ts'

interface SizeChoiceProps {
  value: ImageSize
  onChange: (size: ImageSize) => void
}

const shapes: Record<ImageSize, string> = {
  auto: 'size-4 rounded-xs border-dashed',
  '1024x1024': 'size-4 rounded-xs',
  '1536x1024': 'h-3.5 w-5 rounded-xs',
  '1024x1536': 'h-5 w-3.5 rounded-xs',
}
/** The model's own choice first: it is the usual one. */
const order = imageSizes.toSorted((a, b) => Number(b === 'auto') - Number(a === 'auto'))

/** Shapes to choose from by eye. */
export function SizeChoice({ value, onChange }: SizeChoiceProps) {
  const name = useId()
  return (
    <fieldset className="flex rounded-md border border-line-strong bg-surface p-0.5">
      <legend className="sr-only">Форма</legend>
      {order.map((size) => (
        <label
          key={size}
          title={size === 'auto' ? 'Форму выберет модель' : `${sizeNames[size]}: ${size.replace('x', ' × ')}`}
          className="flex h-9 flex-1 items-center justify-center gap-2 rounded-sm px-3 text-sm text-muted transition-colors hover:bg-hover has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:ring-focus max-sm:px-1.5"
        >
          <input
            type="radio"
            name={name}
            value={size}
            checked={value === size}
            onChange={() => onChange(size)}
            className="sr-only"
          />
          <span aria-hidden="true" className={`block shrink-0 border-[1.5px] border-current ${shapes[size]}`} />
          <span className={size === 'auto' ? '' : 'max-lg:sr-only'}>{sizeNames[size]}</span>
        </label>
      ))}
    </fieldset>
  )
}
