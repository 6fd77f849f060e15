/** The picture with a crop frame, which the pointer and arrow keys move. */
import ReactCrop, { type PercentCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { t } from '../messages/messages.ts';
import { EditorPicture } from './picture.tsx';
import './crop-area.css';

type PictureProps = Parameters<typeof EditorPicture>[0];

interface Props extends PictureProps {
  crop: PercentCrop;
  aspect: number | undefined;
  onChange(crop: PercentCrop): void;
}

export function CropArea({ crop, aspect, onChange, ...picture }: Props) {
  return (
    <ReactCrop
      className="editor-crop"
      crop={crop}
      {...(aspect && { aspect })}
      onChange={(_, percent) => onChange(percent)}
      ariaLabels={createLabels()}
      ruleOfThirds
      keepSelection
      minWidth={8}
      minHeight={8}
    >
      <EditorPicture {...picture} />
    </ReactCrop>
  );
}

function createLabels() {
  return {
    cropArea: t('cropArea'),
    nwDragHandle: t('cropNw'),
    nDragHandle: t('cropN'),
    neDragHandle: t('cropNe'),
    eDragHandle: t('cropE'),
    seDragHandle: t('cropSe'),
    sDragHandle: t('cropS'),
    swDragHandle: t('cropSw'),
    wDragHandle: t('cropW'),
  };
}
