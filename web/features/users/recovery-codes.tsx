import { copyAndReport } from '#web/lib/copy-text.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { saveBlob } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Copy, Download } from '#web/ui/icons.ts'

interface RecoveryCodesProps {
  codes: string[]
  onClose: () => void
}

/** Shown once: the server stores them encrypted and never returns them again. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { appName } = pageConfig()
  const copy = () =>
    void copyAndReport(
      codes.join('\n'),
      'Коды скопированы',
      'Браузер не дал скопировать. Выделите коды и скопируйте сами.',
    )
  const save = () => saveBlob(new Blob([fileText(appName, codes)], { type: 'text/plain' }), 'коды-восстановления.txt')
  return (
    <div className="flex flex-col gap-4">
      <p className="text-pretty">
        Сохраните эти коды там, где найдёте их без телефона. Каждый один раз заменит код из приложения. Больше мы их не
        покажем.
      </p>
      <ul aria-label="Коды восстановления" className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border p-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Copy size={18} />} onClick={copy}>
          Скопировать
        </Button>
        <Button icon={<Download size={18} />} onClick={save}>
          Скачать файл
        </Button>
        <Button variant="primary" className="ml-auto" onClick={onClose}>
          Сохранено
        </Button>
      </div>
    </div>
  )
}

function fileText(appName: string, codes: string[]): string {
  return [`${appName}: коды восстановления входа`, '', ...codes, '', 'Каждый код действует один раз.', ''].join('\n')
}
