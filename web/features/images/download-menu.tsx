import { addressOf } from '#contract/endpoint.ts'
import { type Image, type ImageDownload, imagesApi } from '#contract/images.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { message } from '#web/lib/notify.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Download } from '#web/ui/icons.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

const formats = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP' } as const
const sides = ['2048', '1024', '512'] as const

/** Formats and sizes; the image is never enlarged, so larger sides are not offered. */
export function DownloadMenu({ image }: { image: Image }) {
  const longest = Math.max(image.width, image.height)
  const choices = (Object.keys(formats) as (keyof typeof formats)[]).flatMap((format): ImageDownload[] => [
    { format },
    ...sides.filter((side) => Number(side) < longest).map((side) => ({ format, side })),
  ])

  async function save(query: ImageDownload) {
    try {
      await saveFile(addressOf(imagesApi.download, { params: { id: image.id }, query }), `image.${query.format}`)
    } catch (error) {
      message.error(callErrorText(error))
    }
  }

  return (
    <Menu trigger={<Button icon={<Download size={18} />}>Скачать</Button>}>
      {choices.map((choice) => (
        <MenuItem key={`${choice.format} ${choice.side ?? ''}`} onSelect={() => void save(choice)}>
          {formats[choice.format]}
          <span className="figures ml-auto pl-4 text-sm text-muted">
            {choice.side ? `до ${choice.side}` : `${image.width} × ${image.height}`}
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
