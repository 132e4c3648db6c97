import './commandApproval';
import './ownPermissions';
import './paths';
import './openingRepository';
import './rendering';
