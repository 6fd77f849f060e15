/** Texts of the pages of share links. */
import type { Language } from '../../../platform/http/language.ts';

interface SharePageMessages {
  photo: string;
  photoBy(name: string): string;
  photos(count: number): string;
  download: string;
  downloadAll: string;
  camera: string;
  aperture: string;
  shutter: string;
  size: string;
  close: string;
  next: string;
  previous: string;
  positionInAlbum(number: number, total: number): string;
  pages: string;
  pageNumber(page: number, pages: number): string;
  back: string;
  forth: string;
  guarded: string;
  guardedText: string;
  password: string;
  show: string;
  wrongPassword: string;
  tooManyTries(seconds: number): string;
  shared: string;
  viewsLeft(count: number): string;
  open: string;
  nothing: string;
  nothingText: string;
  failed: string;
  /** Text for an unexpected error. `reason` is the API's error message, in English. */
  failedText(reason: string): string;
  sharedWith: string;
}

export const sharePageMessages: Record<Language, SharePageMessages> = {
  en: {
    photo: 'Photo',
    photoBy: (name) => `Photo by ${name}`,
    photos: (count) => `${count} ${count === 1 ? 'photo' : 'photos'}`,
    download: 'Download',
    downloadAll: 'Download all (ZIP)',
    camera: 'Camera',
    aperture: 'Aperture',
    shutter: 'Shutter',
    size: 'Size',
    close: 'Close',
    next: 'Next photo',
    previous: 'Previous photo',
    positionInAlbum: (number, total) => `${number} of ${total}`,
    pages: 'Pages',
    pageNumber: (page, pages) => `Page ${page} of ${pages}`,
    back: 'Back',
    forth: 'Next',
    guarded: 'This page is protected',
    guardedText: 'Enter the password that came with the link.',
    password: 'Password',
    show: 'Show it',
    wrongPassword: 'That password is not right.',
    tooManyTries: (seconds) => `Too many tries. Please wait ${seconds} seconds, then try again.`,
    shared: 'Somebody shared something with you',
    viewsLeft: (count) =>
      `This link can be opened ${count === 1 ? 'once' : `${count} times`} more. After that it shows nothing.`,
    open: 'Open it',
    nothing: 'Nothing to see here',
    nothingText:
      'This link does not exist, has expired, or was revoked by the person who shared it. Ask them for a new one.',
    failed: 'That did not work',
    failedText: (reason) => `${reason}.`,
    sharedWith: 'Shared with Lightwell',
  },
  'zh-CN': {
    photo: '照片',
    photoBy: (name) => `${name} 的照片`,
    photos: (count) => `${count} 张照片`,
    download: '下载',
    downloadAll: '全部下载（ZIP）',
    camera: '相机',
    aperture: '光圈',
    shutter: '快门',
    size: '尺寸',
    close: '关闭',
    next: '下一张',
    previous: '上一张',
    positionInAlbum: (number, total) => `第 ${number} 张，共 ${total} 张`,
    pages: '分页',
    pageNumber: (page, pages) => `第 ${page} 页，共 ${pages} 页`,
    back: '上一页',
    forth: '下一页',
    guarded: '此页面受密码保护',
    guardedText: '请输入随链接一起收到的密码。',
    password: '密码',
    show: '查看',
    wrongPassword: '密码不正确。',
    tooManyTries: (seconds) => `尝试次数过多，请等待 ${seconds} 秒后重试。`,
    shared: '有人与您分享了内容',
    viewsLeft: (count) => `此链接还可打开 ${count} 次，之后将不再显示内容。`,
    open: '打开',
    nothing: '这里没有内容',
    nothingText: '此链接不存在、已过期，或已被分享者撤销。请向对方索取新的链接。',
    failed: '操作未成功',
    failedText: () => '请稍后重试。',
    sharedWith: '通过 Lightwell 分享',
  },
};
